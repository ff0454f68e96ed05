import { wordsToGit } from '../mail/gitWords.ts';
import { isSameAddress } from '../mail/onlySender.ts';
import { authorIn } from '../mail/personIn.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import { answeredPatches } from './answeredPatches.ts';
import { ownLines } from './ownLines.ts';
import type { GivenTrailer, SeriesMail, SeriesPatch, SeriesReading } from './seriesReading.ts';

/** The author header of a commit, which git also accepts at the head of a mail's text. */
export const authorKey = 'From';

/** Authors of patches that a list sent in its own name: git would credit the list. As forgeable as any sender. */
export function authorsBehindLists({ patches }: Pick<SeriesReading, 'patches'>): readonly GivenTrailer[] {
	const found = new Map<string, GivenTrailer>();
	for (const { index, ...each } of patches) {
		const person = authorBehindList(each);
		if (person === undefined) {
			continue;
		}
		const value = `${person.name} <${person.address}>`;
		const read = authorIn(value);
		if (wordsToGit(value) === value && read?.name === person.name && read.address === person.address) {
			const before = found.get(value)?.patchIndexes ?? [];
			const line = { key: authorKey, value, person, mailId: each.mail.id, patchIndexes: [...before, index] };
			found.set(value, { ...line, isInPatch: false, isForOther: false, isOnlyToGit: false });
		}
	}
	return Array.from(found.values());
}

function authorBehindList({ mail, patch }: Omit<SeriesPatch, 'index'>): MailPerson | undefined {
	const { reading } = mail;
	if (reading.kind === 'raw' || !isSameAddress(patch.author?.address, reading.mail.from[0]?.address)) {
		return undefined;
	}
	return reading.mail.cautions.find((caution) => caution.kind === 'sentByList')?.likely;
}

const link = /^[ \t]{0,8}(fixes|closes|implements|references|link|bug)[ \t]{0,4}:[ \t]*(\S.*?)[ \t]*$/i;
const longest = 400;
const mostLinks = 40;
/** A commit in the style of `git log --format=reference`, the kernel or `git log --oneline`, a ticket, or an address. */
const target =
	/^(?:[0-9a-f]{7,64} \(.{1,200}\)|[0-9a-f]{10,64} [\w"][^()]{0,100}: [^()]{1,200}|(?:~[a-z0-9._-]{1,100}\/[\w.-]{1,100})?#\d{1,9}|https?:\/\/[!#-;=?-~]{4,400}(?: (?:\[[^[\]]{1,20}\]|# ?\[?[^[\]]{1,20}\]?))?)$/i;

/**
 * Trailers in replies with a thing instead of a person, such as `Fixes:` and `Link:`, for patches without them. The
 * maintainer chooses, since a push may resolve a ticket.
 */
export function linksInReplies(thread: readonly SeriesMail[], series: SeriesReading): readonly GivenTrailer[] {
	const own = new Set([series.cover?.id, ...series.patches.map(({ mail }) => mail.id)]);
	const patchesOf = answeredPatches(thread, series);
	const patches = series.patches.map(({ index, patch }) => ({ index, lines: new Set(patch.message.split('\n')) }));
	const found = new Map<string, GivenTrailer>();
	for (const mail of thread.filter(({ id }) => !own.has(id))) {
		const here = new Set(patchesOf(mail));
		const links = here.size === 0 ? [] : linksIn(mail);
		for (const [line, { key, value }] of new Map(links.map((each) => [`${each.key}: ${each.value}`, each]))) {
			const known = found.get(line);
			if (known || found.size < mostLinks) {
				const answered = new Set([...(known?.patchIndexes ?? []), ...here]);
				const lacking = patches.filter(({ index, lines }) => answered.has(index) && !lines.has(line));
				const about = { key, value, person: { name: '', address: '' }, mailId: known?.mailId ?? mail.id };
				const patchIndexes = lacking.map(({ index }) => index);
				if (patchIndexes.length > 0) {
					found.set(line, { ...about, patchIndexes, isInPatch: false, isForOther: false, isOnlyToGit: false });
				}
			}
		}
	}
	return Array.from(found.values());
}

function linksIn({ reading }: SeriesMail): readonly Pick<GivenTrailer, 'key' | 'value'>[] {
	const lines = reading.kind === 'raw' ? [] : ownLines(reading.mail.text);
	return lines.flatMap((line) => {
		const [, key = '', value = ''] = line !== undefined && line.length <= longest ? (link.exec(line) ?? []) : [];
		return target.test(value) ? [{ key: `${key.charAt(0).toUpperCase()}${key.slice(1).toLowerCase()}`, value }] : [];
	});
}
