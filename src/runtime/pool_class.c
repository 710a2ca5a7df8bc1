/*
 * Which sizes do small blocks have?
 *
 * Steps of 16 bytes up to 256, then eight classes a doubling up to 32 KiB: what
 * is rounded up is at most an eighth.  The number of blocks in a span is chosen so that
 *  - they fill whole pages exactly, so that a span's end needs no care, and
 *  - there are at most 64, or a multiple of 64, so that all words of a bitmap
 *    look alike and a span is wholly free if all of them have one value.
 * A size of 16 k bytes needs 64 m blocks with 8 | k m for both.
 */
#include "runtime/pool_impl.h"

/* number, size, distance to the size below, blocks in a span */
#define SMALL_CLASSES(X)                                                                           \
    X(0, 16, 16, 512)                                                                              \
    X(1, 32, 16, 256)                                                                              \
    X(2, 48, 16, 512)                                                                              \
    X(3, 64, 16, 128)                                                                              \
    X(4, 80, 16, 512)                                                                              \
    X(5, 96, 16, 256)                                                                              \
    X(6, 112, 16, 512)                                                                             \
    X(7, 128, 16, 128)                                                                             \
    X(8, 144, 16, 512)                                                                             \
    X(9, 160, 16, 256)                                                                             \
    X(10, 176, 16, 512)                                                                            \
    X(11, 192, 16, 128)                                                                            \
    X(12, 208, 16, 512)                                                                            \
    X(13, 224, 16, 256)                                                                            \
    X(14, 240, 16, 512)                                                                            \
    X(15, 256, 16, 128)                                                                            \
    X(16, 288, 32, 256)                                                                            \
    X(17, 320, 32, 128)                                                                            \
    X(18, 352, 32, 256)                                                                            \
    X(19, 384, 32, 64)                                                                             \
    X(20, 416, 32, 256)                                                                            \
    X(21, 448, 32, 128)                                                                            \
    X(22, 480, 32, 256)                                                                            \
    X(23, 512, 32, 64)                                                                             \
    X(24, 576, 64, 128)                                                                            \
    X(25, 640, 64, 64)                                                                             \
    X(26, 704, 64, 128)                                                                            \
    X(27, 768, 64, 64)                                                                             \
    X(28, 832, 64, 128)                                                                            \
    X(29, 896, 64, 64)                                                                             \
    X(30, 960, 64, 128)                                                                            \
    X(31, 1024, 64, 64)

#define MIDDLE_CLASSES(X)                                                                          \
    X(32, 1152, 128, 64)                                                                           \
    X(33, 1280, 128, 64)                                                                           \
    X(34, 1408, 128, 64)                                                                           \
    X(35, 1536, 128, 64)                                                                           \
    X(36, 1664, 128, 64)                                                                           \
    X(37, 1792, 128, 64)                                                                           \
    X(38, 1920, 128, 64)                                                                           \
    X(39, 2048, 128, 64)                                                                           \
    X(40, 2304, 256, 32)                                                                           \
    X(41, 2560, 256, 32)                                                                           \
    X(42, 2816, 256, 32)                                                                           \
    X(43, 3072, 256, 32)                                                                           \
    X(44, 3328, 256, 32)                                                                           \
    X(45, 3584, 256, 32)                                                                           \
    X(46, 3840, 256, 32)                                                                           \
    X(47, 4096, 256, 32)                                                                           \
    X(48, 4608, 512, 16)                                                                           \
    X(49, 5120, 512, 16)                                                                           \
    X(50, 5632, 512, 16)                                                                           \
    X(51, 6144, 512, 16)                                                                           \
    X(52, 6656, 512, 16)                                                                           \
    X(53, 7168, 512, 16)                                                                           \
    X(54, 7680, 512, 16)                                                                           \
    X(55, 8192, 512, 16)                                                                           \
    X(56, 9216, 1024, 8)                                                                           \
    X(57, 10240, 1024, 8)                                                                          \
    X(58, 11264, 1024, 8)                                                                          \
    X(59, 12288, 1024, 8)                                                                          \
    X(60, 13312, 1024, 8)                                                                          \
    X(61, 14336, 1024, 8)                                                                          \
    X(62, 15360, 1024, 8)                                                                          \
    X(63, 16384, 1024, 8)                                                                          \
    X(64, 18432, 2048, 4)                                                                          \
    X(65, 20480, 2048, 4)                                                                          \
    X(66, 22528, 2048, 4)                                                                          \
    X(67, 24576, 2048, 4)                                                                          \
    X(68, 26624, 2048, 4)                                                                          \
    X(69, 28672, 2048, 4)                                                                          \
    X(70, 30720, 2048, 4)                                                                          \
    X(71, 32768, 2048, 4)

#define LOOKUP(number, size, step, blocks) [((size) - (step)) / 16 + 1 ...(size) / 16] = number,
#define DESCRIBE(number, bytes, step, blocks)                                                      \
    [number] = {                                                                                   \
        .recip = UINT64_MAX / (bytes) + 1,                                                         \
        .whole = (blocks) < 64 ? (1ULL << ((blocks) & 63)) - 1 : UINT64_MAX,                       \
        .size = (bytes),                                                                           \
        .pages = (bytes) * (blocks) / POOL_PAGE,                                                   \
        .words = ((blocks) + 63) / 64,                                                             \
    },
#define CHECK(number, size, step, blocks)                                                          \
    _Static_assert((size) * (blocks) % POOL_PAGE == 0, "fills its pages");                         \
    _Static_assert((blocks) > 1 && (blocks) <= 64 * POOL_WORDS, "bitmap");                         \
    _Static_assert((blocks) < 64 || (blocks) % 64 == 0, "words are alike");

SMALL_CLASSES(CHECK)
MIDDLE_CLASSES(CHECK)

const uint8_t __recut_pool_class_of[POOL_TABLED / 16 + 1] = {SMALL_CLASSES(LOOKUP)};
const struct pool_class __recut_pool_class[POOL_CLASSES] = {SMALL_CLASSES(DESCRIBE)
                                                                MIDDLE_CLASSES(DESCRIBE)};
