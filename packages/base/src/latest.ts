/** The latest results of a pure function, by the identity of their input. */
export type Latest<Key extends object, Value> = (key: Key, make: () => Value) => Value;

/** Keeps this many results; the one that was not used for the longest time goes first. */
export function latest<Key extends object, Value extends object>(most: number): Latest<Key, Value> {
	const kept = new Map<Key, Value>();
	return (key, make) => {
		const known = kept.get(key);
		const value = known ?? make();
		kept.delete(key);
		kept.set(key, value);
		for (const oldest of kept.size > most ? [...kept.keys()].slice(0, 1) : []) {
			kept.delete(oldest);
		}
		return value;
	};
}
