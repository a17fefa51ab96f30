//! Work side by side, with the feature `parallel`; one after the other without. What is done shares nothing, so that the answer has the
//! same bits for any number of threads.

/// Whether there is more than one thread to work on.
pub(crate) fn is_wide() -> bool {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads() > 1;
    #[cfg(not(feature = "parallel"))]
    false
}

/// Does something with each element.
pub(crate) fn each<T: Send>(list: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    #[cfg(feature = "parallel")]
    if list.len() > 1 && is_wide() {
        use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
        list.par_iter_mut().for_each(work);
        return;
    }
    list.iter_mut().for_each(work);
}

/// Does something with each element and the stretch of values that is its own, `size` long but for the last, and the number of
/// its first value; that of the first element begins with number `first`.
pub(crate) fn each_range<T: Send, V: Send>(
    list: &mut [T],
    values: &mut [V],
    size: usize,
    first: usize,
    work: &(impl Fn(&mut T, (&mut [V], usize)) + Sync),
) {
    if let [one] = list {
        return work(one, (values, first));
    }
    let (left, right) = list.split_at_mut(list.len() / 2);
    let to = (left.len() * size).min(values.len());
    let (own, others) = values.split_at_mut(to);
    if !left.is_empty() {
        both(
            || each_range(left, own, size, first, work),
            || each_range(right, others, size, first + to, work),
        );
    }
}

/// Does two things.
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    if is_wide() {
        return rayon::join(a, b);
    }
    (a(), b())
}
