/** What the name of a tag says: `lantern-v1.5-rc2` is the second candidate for version 1.5 of lantern. */
interface TagVersion {
	readonly name: string;
	/** What stands before the number, but for a `v`; undefined where there is no number. */
	readonly product: string | undefined;
	readonly numbers: readonly number[];
	/** The place among `stages`, `released`, or more for what was added to a release, as in `1.12-1` and `1.5k`. */
	readonly stage: number;
	/** What stands behind the number, and the first number in it. */
	readonly rest: string;
	readonly count: number;
}

/** Stages before a release, the earliest first. One letter is a stage only before a number: `1.5b` is a later `1.5`. */
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

/** Names of tags with the newest version first, each product for itself, and what is no version last, by name. */
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
