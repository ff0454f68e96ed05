import { senderIn } from 'patchmail/mail/onlySender.ts';
import { hasStageWord, prefixWords, versionOf, versionTitle } from 'patchmail/series/versions.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { nameOfSender } from '../../engine/text/visible.ts';

/** A list or a clock delays the first version so long at most. A later lower number begins a new series. */
const mostLateMs = 3 * 24 * 60 * 60_000;
const longestTitle = 1000;

type Row = ReturnType<typeof rowOf>;

/**
 * A newer version of each row, if another row looks like one: the author's name, the title, and a higher number, or the
 * same number sent again. That is enough to fold a row, not to link versions. Takes time n·log n.
 */
export function newerRows(patchsets: readonly Patchset[]): ReadonlyMap<number, Patchset> {
	const named = patchsets.flatMap((patchset) => {
		const row = rowOf(patchset);
		return authorsOf(patchset).map((author) => ({ row, name: `${author}\n${versionTitle(patchset.subject)}` }));
	});
	const newer = new Map<number, Patchset>();
	for (const [, all] of Map.groupBy(named, ({ name }) => name)) {
		const rows = all.map(({ row }) => row);
		// The latest of equal rows is enough: some titles are sent a thousand times.
		const latest = new Map<string, Row>();
		for (const row of rows.filter(({ patchset }) => patchset.formed?.isComplete !== false && !patchset.missing)) {
			const before = latest.get(row.facts);
			if (!before || row.patchset.createdMs > before.patchset.createdMs) {
				latest.set(row.facts, row);
			}
		}
		const highest = Array.from(latest.values()).toSorted(
			(one, other) => other.version - one.version || other.patchset.createdMs - one.patchset.createdMs,
		);
		for (const row of all.length === 1 ? [] : rows) {
			const found = highest.find((each) => isNewer(each, row));
			if (found) {
				newer.set(row.patchset.id, found.patchset);
			}
		}
	}
	return newer;
}

function rowOf(patchset: Patchset) {
	const words = prefixWords(patchset.prefix);
	const version = versionOf(patchset);
	const isDraft = words.includes('rfc');
	const hasStage = hasStageWord(patchset.prefix);
	const tree = words.filter((word) => !/^(?:|patch(?:es)?|v\d{1,4}\S*|\d+\/\d+)$/.test(word) && !hasStageWord(word));
	const facts = JSON.stringify([version, isDraft, hasStage, tree]);
	return { patchset, version, isDraft, hasStage, tree, facts };
}

function isNewer(one: Row, other: Row): boolean {
	const rise = one.version - other.version;
	const laterMs = one.patchset.createdMs - other.patchset.createdMs;
	// Numbers may start again behind a request for comments.
	const isAfterDraft = other.isDraft && !one.isDraft && laterMs > 0;
	const isHigher = rise > 0 && laterMs > (one.isDraft && !other.isDraft ? 0 : -mostLateMs);
	const isSentAgain = rise === 0 && one.isDraft === other.isDraft && laterMs > 0 && (one.version > 1 || one.hasStage);
	return (isAfterDraft || isHigher || isSentAgain) && haveOneTree(one.tree, other.tree);
}

/** False for `[PATCH 5.10]` beside `[PATCH 6.1]`; `net` may become `net-next`. */
function haveOneTree(one: readonly string[], other: readonly string[]): boolean {
	const isNear = (word: string) => (near: string) =>
		word === near || word.startsWith(`${near}-`) || near.startsWith(`${word}-`);
	const isWithin = (all: readonly string[], others: readonly string[]): boolean =>
		all.every((word) => others.some(isNear(word)));
	return isWithin(one, other) || isWithin(other, one);
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
