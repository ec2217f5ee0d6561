//===- Registry.h - the objects of sketches and knobs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SKETCH_REGISTRY_H
#define PRUNER_LIB_SKETCH_REGISTRY_H

namespace pruner {

class Knob;
class Sketch;

// Each is defined in the file of its name in Sketches or Knobs, and listed in
// Sketch.cpp and Knob.cpp.
const Sketch &cpuTile();
const Sketch &cpuMap();
const Sketch &cpuRow();
const Sketch &simtTile();
const Sketch &simtMap();
const Sketch &simtRow();
const Sketch &cpuChain();

const Knob &stagesKnob();
const Knob &vectorKnob();
const Knob &vectorDimKnob();
const Knob &unrollKnob();
const Knob &padKnob();
const Knob &orderKnob();
const Knob &splitKnob();
const Knob &prefetchKnob();
const Knob &rasterKnob();
const Knob &streamKnob();
const Knob &pipelineKnob();
const Knob &instructionKnob();

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_REGISTRY_H
