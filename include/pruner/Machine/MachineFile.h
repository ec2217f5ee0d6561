//===- MachineFile.h - machines as files, targets as text -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MACHINE_MACHINEFILE_H
#define PRUNER_MACHINE_MACHINEFILE_H

#include "pruner/Machine/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Reads one JSON object whose members are the fields of `Machine` plus
/// "version": 1 and "kind": "cpu" or "gpu". A field that is unknown, missing or
/// of another type, and a number that breaks a rule of `Machine::invalid`, is
/// an error that names the field and starts with `where`.
llvm::Expected<Machine> parseMachine(llvm::StringRef text,
                                     llvm::StringRef where);

/// `parseMachine` of a file's text.
llvm::Expected<Machine> readMachine(llvm::StringRef file);

/// Writes what `parseMachine` reads back equal, one field per line.
void printMachineJson(const Machine &machine, llvm::raw_ostream &os);

/// `printMachineJson` into a file, through a temporary that is renamed: readers
/// see the old text or the new one.
llvm::Error writeMachine(const Machine &machine, llvm::StringRef file);

/// Prints a table for people: field, value with unit, PSA symbol, meaning;
/// fields that do not exist on the device are left out, notes come last.
void printMachine(const Machine &machine, llvm::raw_ostream &os);

/// The machine a target option names:
///   cpu                  the host, `queryHostCpu()`
///   cpu:<name>           the same, an error if the host's LLVM CPU name is not
///                        <name>
///   nvidia:<name>        `knownMachine`: a device ("h200") or an architecture
///                        ("sm_90a")
///   file:<path>          `readMachine`
/// Anything else is an error that lists these forms.
llvm::Expected<Machine> parseTarget(llvm::StringRef target);

} // namespace pruner

#endif // PRUNER_MACHINE_MACHINEFILE_H
