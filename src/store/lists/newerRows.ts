import { senderIn } from 'patchmail/mail/onlySender.ts';
import { hasStageWord, prefixWords, versionOf, versionTitle } from 'patchmail/series/versions.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { nameOfSender } from '../../engine/text/visible.ts';

/** A list or a clock delays the first version so long at most. A later lower number begins a new series. */
const mostLateMs = 3 * 24 * 60 * 60_000;
const longestTitle = 1000;

/**
 * A newer version of each row, if another row looks like one: the author's name, the title, and a higher number, or the
 * same number sent again. That is enough to fold a row, not to link versions.
 */
export function newerRows(rows: readonly Patchset[]): ReadonlyMap<number, Patchset> {
	const named = rows.flatMap((row) =>
		authorsOf(row).map((author) => ({ row, name: `${author}\n${versionTitle(row.subject)}` })),
	);
	const newer = new Map<number, Patchset>();
	for (const [, all] of Map.groupBy(named, ({ name }) => name)) {
		const possible = all.length === 1 ? [] : all.filter(({ row }) => row.formed?.isComplete !== false);
		const highest = possible
			.map(({ row }) => row)
			.toSorted((one, other) => versionOf(other) - versionOf(one) || other.createdMs - one.createdMs);
		for (const { row } of all) {
			const found = highest.find((each) => isNewer(each, row));
			if (found) {
				newer.set(row.id, found);
			}
		}
	}
	return newer;
}

function isNewer(one: Patchset, other: Patchset): boolean {
	const rise = versionOf(one) - versionOf(other);
	const laterMs = one.createdMs - other.createdMs;
	const [isDraft, wasDraft] = [one, other].map(isRfc);
	// Numbers may start again behind a request for comments.
	const isAfterDraft = wasDraft === true && isDraft === false && laterMs > 0;
	const isHigher = rise > 0 && laterMs > (isDraft === true && wasDraft === false ? 0 : -mostLateMs);
	const isSentAgain =
		rise === 0 && isDraft === wasDraft && laterMs > 0 && (versionOf(one) > 1 || hasStageWord(one.prefix));
	return (isAfterDraft || isHigher || isSentAgain) && haveOneTree(one.prefix, other.prefix);
}

function isRfc({ prefix }: Patchset): boolean {
	return prefixWords(prefix).includes('rfc');
}

/** False for `[PATCH 5.10]` beside `[PATCH 6.1]`; `net` may become `net-next`. */
function haveOneTree(one: string | undefined, other: string | undefined): boolean {
	const wordsOf = (prefix: string | undefined): readonly string[] =>
		prefixWords(prefix).filter((word) => !/^(?:|patch(?:es)?|v\d{1,4}\S*|\d+\/\d+)$/.test(word) && !hasStageWord(word));
	const [these, those] = [wordsOf(one), wordsOf(other)];
	const isNear = (word: string) => (near: string) =>
		word === near || word.startsWith(`${near}-`) || near.startsWith(`${word}-`);
	const isWithin = (all: readonly string[], others: readonly string[]): boolean =>
		all.every((word) => others.some(isNear(word)));
	return isWithin(these, those) || isWithin(those, these);
}

/** Empty titles and authors are nobody's. A list writes `Ann via devel` in place of Ann. */
function authorsOf({ submitter = '', coverLetter, subject }: Patchset): readonly string[] {
	const name = nameOfSender(submitter)
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s(]+via\s.*$/, '');
	const address = senderIn(submitter)?.address.toLowerCase() ?? '';
	const authors = new Set([name, address, coverLetter?.sender?.canonicalName ?? '']);
	authors.delete('');
	return subject.length > longestTitle || subject.trim() === '' ? [] : [...authors];
}
