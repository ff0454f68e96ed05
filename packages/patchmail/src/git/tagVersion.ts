/** Version in a tag name: `lantern-v1.5-rc2` is the second candidate for version 1.5 of lantern. */
interface TagVersion {
	readonly name: string;
	/** Text before the number, without `v`; `undefined` without a number. */
	readonly product: string | undefined;
	readonly numbers: readonly number[];
	/** Index in `stages`, `released`, or higher for additions to a release, as in `1.12-1` and `1.5k`. */
	readonly stage: number;
	/** Text after the number; `count` is its first number. */
	readonly rest: string;
	readonly count: number;
}

/**
 * Stages before a release, earliest first. A single letter is a stage only before a number: `1.5b` is a later `1.5`.
 */
const stages = [
	/^\W?(?:dev|snapshot|nightly)/i,
	/^\W?(?:alpha|a(?=\W?\d))/i,
	/^\W?(?:beta|b(?=\W?\d))/i,
	/^\W?pre/i,
	/^\W?(?:rc|c(?=\W?\d))/i,
];
const released = stages.length;

const collator = new Intl.Collator('en', { numeric: true });

function tagVersion(name: string): TagVersion {
	const found = /(?:^|[^0-9a-z])v?(\d+(?:[._]\d+)*)/i.exec(name);
	if (found === null) {
		return { name, product: undefined, numbers: [], stage: released, rest: name, count: 0 };
	}
	const rest = name.slice(found.index + found[0].length);
	const stage = stages.findIndex((each) => each.test(rest));
	return {
		name,
		product: name.slice(0, found.index),
		numbers: (found[1] ?? '').split(/[._]/).map(Number),
		stage: stage === -1 ? released + Math.sign(rest.length) : stage,
		rest,
		count: Number(/\d+/.exec(rest)?.[0] ?? 0),
	};
}

function compareProducts(one: TagVersion, other: TagVersion): number {
	const isNone = Number(one.product === undefined) - Number(other.product === undefined);
	return isNone === 0 ? collator.compare(one.product ?? '', other.product ?? '') : isNone;
}

function compareNumbers({ numbers: some }: TagVersion, { numbers: others }: TagVersion): number {
	const at = some.findIndex((number, place) => number !== others[place]);
	return at === -1 ? some.length - others.length : (some[at] ?? 0) - (others[at] ?? -1);
}

/** Sorts tags by product, newest version first. Tags without a version come last, by name. */
export function newestVersionFirst<T>(tags: readonly T[], nameOf: (tag: T) => string): readonly T[] {
	return tags
		.map((tag) => ({ tag, version: tagVersion(nameOf(tag)) }))
		.toSorted(
			({ version: one }, { version: other }) =>
				compareProducts(one, other) ||
				compareNumbers(other, one) ||
				other.stage - one.stage ||
				other.count - one.count ||
				collator.compare(other.rest, one.rest) ||
				collator.compare(other.name, one.name),
		)
		.map(({ tag }) => tag);
}
