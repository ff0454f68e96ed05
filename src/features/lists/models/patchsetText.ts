import { largestAnswerBytes, oneLine, timeOf } from '../../../editor/models/toolInput.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import type { ParsedDiff } from 'patchmail/patch/fileDiff.ts';
import type { PatchMail, SeriesPatch, SeriesProblem } from 'patchmail/series/seriesReading.ts';
import type { MailTexts } from '../../../store/lists/listMailTexts.ts';
import type { PatchsetReview, SeriesVersion } from '../../../store/lists/patchsets/patchsetReview.ts';

/*
 * Mails and patchsets as plain text for a language model. All of it is remote text: frame it as untrusted.
 */

/** Name of a patchset for the field "patchset". Servers know a formed patchset only by its first mail. */
function patchsetAddress({ list, id }: PatchsetRef, messageId: string | undefined): string {
	return isNumbered(id) ? `${refText(list)}/patches/${id}` : `${refText(list)}/${messageId ?? ''}`;
}

/**
 * A patchset. Diffs come last, so truncation cuts them first.
 */
export function patchsetText(standing: PatchsetReview, texts: MailTexts, comments: string): string {
	const { series } = standing;
	const { cover } = series;
	return [
		headText(standing),
		...(cover ? ['', '== cover letter', mailText(cover, cover.reading, texts.patchOf(cover))] : []),
		'',
		'== patches',
		...series.patches.map(({ index, patch, mail }) =>
			oneLine(
				mail.reading.kind === 'raw'
					? `${index}/${series.count} ${mail.subject} (could not be read)`
					: `${index}/${series.count} ${patch.subject} (${statText(patch.diff)})`,
			),
		),
		...(comments === '' ? [] : ['', comments]),
		...series.patches.map((patch) => patchBody(patch, series.count)),
	].join('\n');
}

function headText({
	ref,
	patchset,
	series,
	trailers,
	versions,
	suggestions,
	pullRequest,
	mails,
	failures,
}: PatchsetReview): string {
	const { stat } = series;
	return [
		oneLine(`${patchsetAddress(ref, patchset.messageId)}: ${patchset.subject}`),
		oneLine(`status: ${spelled(patchset.status)}`),
		oneLine(`version: ${patchset.version}, prefix: ${patchset.prefix ?? '(none)'}`),
		oneLine(`submitter: ${patchset.submitter ?? '(unknown)'}`),
		`created: ${timeOf(patchset.createdMs)}, updated: ${timeOf(patchset.updatedMs)}`,
		`patches: ${series.patches.length} of ${series.count}; ${stat.files} files, +${stat.added} -${stat.removed}; mails in the thread: ${mails.length}`,
		// A failed read does not prove absence.
		...failures.map(({ part }) => `could not be read, or only as it was some time ago: ${part}`),
		...versions.map((each) => {
			const { id, messageId, version, status } = each.patchset;
			const address = patchsetAddress({ list: ref.list, id }, messageId);
			return oneLine(`version ${version}: ${address}, ${spelled(status)} (${linkWords(each)})`);
		}),
		...trailers.map(({ key, value, patchIndexes, isOnlyToGit, earlierVersion, condition, isForSeries }) => {
			const hidden = isOnlyToGit ? '; hidden: only git reads it' : '';
			const earlier = earlierVersion === undefined ? '' : `; given on v${earlierVersion}, patch unchanged`;
			const scope = isForSeries ? '; said about the whole series below another patch' : '';
			const onlyIf = condition === undefined ? '' : `; given on a condition: ${condition}`;
			return oneLine(
				`trailer: ${key}: ${value} (patches ${patchIndexes.join(', ')}${hidden}${earlier}${scope}${onlyIf})`,
			);
		}),
		...series.problems.map((problem) => oneLine(`problem: ${problemWords(problem)}`)),
		...suggestions.map((suggestion) => {
			const fact = `the facts speak for the status: ${spelled(suggestion.status)}`;
			if (suggestion.kind !== 'superseded') {
				return oneLine(`${fact}, because of ${suggestion.mail.messageId}: ${suggestion.quote}`);
			}
			const { id, messageId, version } = suggestion.by;
			return oneLine(`${fact}, by ${patchsetAddress({ list: ref.list, id }, messageId)} (version ${version})`);
		}),
		...(pullRequest
			? [
					oneLine(
						`asks to pull: ${pullRequest.repository} ${pullRequest.reference ?? ''}, up to ${pullRequest.upTo ?? '?'}`,
					),
				]
			: []),
	].join('\n');
}

function linkWords({ link, likeness }: SeriesVersion): string {
	const equal = likeness ? `, ${likeness.equal} of ${likeness.of} patches are equal` : '';
	switch (link) {
		case undefined:
			return 'this one';
		case 'byHand':
			return 'linked by the person';
		case 'claimed':
			return `stated or sent by another sender, perhaps no version${equal}`;
		case 'perhaps':
			return `perhaps a version${equal}`;
		case 'patches':
			return `linked by patches of the sender${equal}`;
		case 'person':
			return 'linked by subject, from a second address of the sender';
		case 'forge':
		case 'thread':
		case 'stated':
		case 'subject':
			return `linked by ${link}`;
	}
}

function problemWords(problem: SeriesProblem): string {
	switch (problem.kind) {
		case 'missingParts':
			return `patches that did not arrive, of ${problem.count}: ${problem.indexes.join(', ')}`;
		case 'repeatedPart':
			return `part ${problem.index} came more than once, the ${problem.isLast ? 'last' : 'first'} one counts`;
		case 'leftOut':
			return `patches of the sender in the thread that are in no patchset: ${problem.count}`;
		case 'keptPatches':
			return `patches kept from v${problem.version}: ${problem.indexes.join(', ')}`;
		case 'fixup':
			return `patch ${problem.index} is a fixup of another patch`;
		case 'wrongOrder':
			return 'the mails came in another order than their numbers say';
		case 'wrappedLines':
			return 'long lines were broken by a mailer';
		case 'damaged':
			return `the diff of ${problem.path ?? 'a file'} is damaged (${problem.damage})`;
		case 'lostBytes':
			return 'the forge lost characters of a patch that are no UTF-8';
		case 'noPrefix':
			return 'the names in a patch have no a/ and b/: git applies it with the option -p0';
		case 'shownRaw':
			return problem.index === 0
				? `the cover letter could not be read (${problem.reason})`
				: `patch ${problem.index} could not be read (${problem.reason}): git may apply a diff that is not counted here`;
		case 'rawReply':
			return 'a reply could not be read: its trailers and comments are missing';
		case 'flowed':
			return 'a mail is format=flowed';
		case 'inDoubt':
			return problem.isOtherPatch
				? 'git would apply another patch than a mail shows'
				: 'programs may read a mail differently';
		case 'noDiff':
			return 'a patch holds no diff';
		case 'wrongPrefix':
			return `the prefix is "${problem.written}"${problem.usual === undefined ? ', its words in the wrong order' : `, usual is "${problem.usual}"`}`;
		case 'attachedPatch':
			return 'a patch came as an attachment';
	}
}

function patchBody({ index, patch, mail }: SeriesPatch, count: number): string {
	if (mail.reading.kind === 'raw') {
		return ['', oneLine(`== patch ${index}/${count}: ${mail.subject}`), bodyText(mail.reading, undefined)].join('\n');
	}
	const { author, message, gitMessage, commentary, diff, diffText } = patch;
	return [
		'',
		oneLine(`== patch ${index}/${count}: ${patch.subject}`),
		...(author ? [oneLine(`author: ${author.name} <${author.address}>`)] : []),
		...(message === '' ? [] : [message]),
		...(gitMessage === undefined ? [] : ['(git would commit another message:)', gitMessage]),
		...(commentary === '' ? [] : ['---', commentary]),
		diffText.slice(diff.start, diff.end),
	].join('\n');
}

/** Subject, sender and date, one line each. */
interface MailHead {
	readonly subject: string;
	/** `~name` of the sender's account. */
	readonly account: string | undefined;
	readonly createdMs: number;
	readonly messageId: string;
}

/** A mail. Replaces the diff of `patch` by its size; diffs follow. */
function mailText(head: MailHead, reading: MailReading, patch: PatchMail | undefined): string {
	const [from] = reading.kind === 'read' ? reading.mail.from : [];
	const address = from ? `${from.name} <${from.address}>`.trim() : 'an unknown address';
	const cautions = reading.kind === 'read' ? reading.mail.cautions.map(({ kind }) => kind) : [];
	return [
		oneLine(`[${timeOf(head.createdMs)}] ${address}, account: ${head.account ?? 'none'}`),
		oneLine(`subject: ${head.subject}`),
		oneLine(`message-id: ${head.messageId}`),
		...(cautions.length === 0 ? [] : [`caution, the sender may deceive: ${cautions.join(', ')}`]),
		'',
		bodyText(reading, patch),
	].join('\n');
}

/** The text of a mail without its diff; a mail that was not read comes as it is. */
function bodyText(reading: MailReading, patch: PatchMail | undefined): string {
	if (reading.kind === 'raw') {
		// More has no room in any answer.
		return `(shown as it came: ${reading.reason})\n${reading.text.slice(0, largestAnswerBytes)}`;
	}
	if (!patch || patch.diff.files.length === 0) {
		return reading.mail.text.trim();
	}
	const { diff } = patch;
	return [patch.message, patch.commentary, `(a diff is left out: ${statText(diff)})`]
		.filter((part) => part !== '')
		.join('\n');
}

/** `3 files, +12 -4` */
function statText({ files, added, removed }: ParsedDiff): string {
	return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${added} -${removed}`;
}
