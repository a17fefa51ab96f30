//! Texts as sixteen digits.

/// Offset basis and prime of the 64-bit FNV-1a hash [Fowler, Noll and Vo].
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// Sixteen hexadecimal digits from texts, one after the other.
pub(crate) fn fingerprint<'t>(texts: impl Iterator<Item = &'t String>) -> String {
    let mut hash = FNV_OFFSET;
    for byte in texts.flat_map(|text| text.bytes().chain([b'\n'])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    }
    format!("{hash:016x}")
}
