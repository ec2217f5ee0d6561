//===- WeightFile.cpp - files with the weights of models ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/WeightFile.h"
#include "pruner/Support/Hashing.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace pruner;

namespace {
struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
} // namespace

static std::string systemError(const std::string &path, const char *what) {
  return path + ": " + what + ": " + std::strerror(errno);
}

std::string pruner::readWeights(const std::string &path, WeightFile &file) {
  std::unique_ptr<std::FILE, Close> in(std::fopen(path.c_str(), "rb"));
  if (!in)
    return systemError(path, "cannot open the weight file");
  struct stat status;
  if (fstat(fileno(in.get()), &status) == 0 &&
      (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
    return path + ": this is a device, expected a file";
  std::string content;
  std::vector<char> buffer(1 << 16);
  while (std::size_t count =
             std::fread(buffer.data(), 1, buffer.size(), in.get())) {
    content.append(buffer.data(), count);
    if (content.size() > kMaxTensorFileBytes)
      return path + ": larger than the limit of " +
             std::to_string(kMaxTensorFileBytes) + " bytes";
  }
  if (std::ferror(in.get()))
    return systemError(path, "cannot read the weight file");
  std::string error = parseSafetensors(content, file);
  if (!error.empty())
    return path + ": invalid safetensors file: " + error;
  file.path = path;
  file.hash = contentHash(llvm::StringRef(content));
  return {};
}

std::string pruner::loadWeights(CostModel &model, const WeightFile &file) {
  std::string error = model.load(file);
  return error.empty() ? error : file.path + ": " + error;
}

std::string pruner::loadWeights(CostModel &model, const std::string &path) {
  WeightFile file;
  std::string error = readWeights(path, file);
  return error.empty() ? loadWeights(model, file) : error;
}

std::string pruner::saveWeights(const CostModel &model, const std::string &path,
                                const Metadata &origin) {
  TensorFile file;
  file.metadata = origin;
  file.metadata["format"] = "pruner-cost-model";
  file.metadata["model"] = model.name();
  std::string error = model.save(file);
  return error.empty() ? writeSafetensors(path, file) : path + ": " + error;
}

/// Makes the rename durable if the file system supports it.
static void syncDirectory(const std::string &path) {
  std::size_t slash = path.rfind('/');
  std::string directory = slash == std::string::npos ? "."
                          : slash == 0               ? "/"
                                                     : path.substr(0, slash);
  int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

std::string pruner::writeSafetensors(const std::string &path,
                                     const TensorFile &file) {
  std::string error;
  std::string content = formatSafetensors(file, error);
  if (!error.empty())
    return path + ": " + error;
  // The temporary file is in the same directory, so that rename() is atomic.
  // Its name is random and O_EXCL does not follow links, so nobody can redirect
  // it.
  std::random_device random;
  std::string temporary = path + "." + std::to_string(random()) + ".tmp";
  int fd =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return systemError(temporary, "cannot create the weight file");
  std::unique_ptr<std::FILE, Close> out(fdopen(fd, "wb"));
  bool good = out &&
              std::fwrite(content.data(), 1, content.size(), out.get()) ==
                  content.size() &&
              std::fflush(out.get()) == 0 && fsync(fileno(out.get())) == 0;
  if (good) {
    out.reset();
    good = std::rename(temporary.c_str(), path.c_str()) == 0;
  }
  if (good)
    syncDirectory(path);
  if (good)
    return {};
  error = systemError(path, "cannot write the weight file");
  std::remove(temporary.c_str());
  return error;
}
