// A comment about a scale in
// front of a product, which goes on.

/// Returns a fast result, or null if there is none. `behind it` is a name.
static const char *text = "no schedule is 'behind it', but this "
                          "one is no tile\nand it is refused";
char quote = '"'; // The optimiser is no cat.
