/** What the name of a tag says of a version: `lantern-v1.5-rc2` is the second candidate of version 1.5 of lantern. */
interface TagVersion {
	/** What stands before the number but for `v`; empty for most. */
	readonly product: string;
	readonly numbers: readonly number[];
	/** Negative before the release itself, the earlier the lower; positive for what was added to it, as in `1.12-1`. */
	readonly stage: number;
}

/** The longest name whose version is looked for; git allows longer ones, and nobody has them. */
const longestName = 200;
const written = /^(|.*?[^0-9a-z.])v?(\d+(?:[._]\d+)*)(?![^0-9a-z]*\d)(.*)$/i;
const stages = [
	/^[-_.~+]?(?:dev|snapshot|nightly)/i,
	/^[-_.~+]?(?:alpha|a(?=[-.]?\d))/i,
	/^[-_.~+]?(?:beta|b(?=[-.]?\d))/i,
];
