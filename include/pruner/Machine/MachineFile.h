//===- MachineFile.h - machines as files, targets as text -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MACHINE_MACHINEFILE_H
#define PRUNER_MACHINE_MACHINEFILE_H

#include "pruner/Machine/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Reads one JSON object whose members are the fields of `Machine` plus
/// "version": 1 and "kind": "cpu" or "gpu". It is an error if a field is
/// unknown, missing or of another type, or if a number violates a rule of
/// `Machine::invalid`. The error names the field and starts with `where`.
llvm::Expected<Machine> parseMachine(llvm::StringRef text,
                                     llvm::StringRef where);

/// `parseMachine` for the text of a file.
llvm::Expected<Machine> readMachine(llvm::StringRef file);

/// Writes text from which `parseMachine` reads an equal machine, one field per
/// line.
void printMachineJson(const Machine &machine, llvm::raw_ostream &os);

/// Writes `printMachineJson` to a temporary file and renames it, so readers see
/// either the old or the new text.
llvm::Error writeMachine(const Machine &machine, llvm::StringRef file);

/// Prints a readable table: field, value with unit, PSA symbol, meaning. Fields
/// that do not exist on the device are left out; notes come last.
void printMachine(const Machine &machine, llvm::raw_ostream &os);

/// The machine that a target option names:
///   cpu                  the host, `queryHostCpu()`
///   cpu:<name>           the same; an error if the host's LLVM CPU name is not
///                        <name>
///   nvidia:<name>        `knownMachine`: a device ("h200") or an architecture
///                        ("sm_90a")
///   file:<path>          `readMachine`
/// The error for other text lists these forms.
llvm::Expected<Machine> parseTarget(llvm::StringRef target);

} // namespace pruner

#endif // PRUNER_MACHINE_MACHINEFILE_H
