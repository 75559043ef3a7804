/** Something that wants to be at a place, and how much. */
export interface Wish {
  place: number;
  weight: number;
}

/** Neighbours in the list that have come together, as one. */
interface Group {
  mean: number;
  weight: number;
  count: number;
}

/**
 * Puts things as near to where they want to be as the distances between neighbours allow, in the order they are given:
 * what comes too near is joined to a group that lies at the mean of its wishes. No other arrangement has a smaller sum
 * of squared distances from the wishes.
 */
export function settle(wishes: readonly Wish[], distance: (index: number) => number): number[] {
  const groups: Group[] = [];
  const offsets: number[] = [];
  let offset = 0;
  wishes.forEach((wish, index) => {
    offset += index === 0 ? 0 : distance(index - 1);
    offsets.push(offset);
    let group: Group = { mean: wish.place - offset, weight: wish.weight, count: 1 };
    for (let last = groups.at(-1); last !== undefined && last.mean > group.mean; last = groups.at(-1)) {
      groups.pop();
      const weight = last.weight + group.weight;
      const mean = (last.mean * last.weight + group.mean * group.weight) / weight;
      group = { mean, weight, count: last.count + group.count };
    }
    groups.push(group);
  });
  return groups
    .flatMap(({ mean, count }) => Array.from({ length: count }, () => mean))
    .map((mean, index) => mean + (offsets[index] ?? 0));
}
