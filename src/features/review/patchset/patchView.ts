import * as vscode from 'vscode';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import type { MailPersonView } from '../../../pages/protocol/pageProtocol.ts';
import type { PatchView } from '../../../pages/protocol/patchsetProtocol.ts';
import { isStatistics } from 'patchmail/series/generatedText.ts';
import type { PatchMail, SeriesMail, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { fileStatView, textBlocks, wholeText } from '../../lists/mail/mailBlocks.ts';
import { cautionsOf, rawNote } from '../../lists/mail/mailCautions.ts';
import { titleOf } from '../../lists/subjects/words.ts';
import { commentPlaceText } from '../../lists/reviewState/commentGroups.ts';
import type { RepliesReview } from '../../lists/reviewState/patchsetReviews.ts';
import { commentsText, firstLineOf, writerName } from '../../lists/reviewState/reviewWords.ts';
import { isViewed, viewedCount, viewedText } from '../../lists/reviewState/viewedFiles.ts';
import { changeLetter, changeWord, modeChange } from '../../../editor/patchDocuments/fileWords.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Page limit; the editor's diff lists all files. */
const mostFiles = 500;

/** Limit against floods of comments. The conversation has them all. */
const mostComments = 200;

/** View of one patch of a series. `review`: its comments, once they are placed. */
export function patchView(
	connection: Connection,
	standing: PatchsetReview,
	series: SeriesPatch,
	review?: RepliesReview,
): PatchView {
	const { mail, patch, index } = series;
	const { count } = standing.series;
	const place = { web: webOf(connection.instance) };
	const { files } = patch.diff;
	const threads = (review?.threads ?? []).filter(({ place }) => place.kind !== 'elsewhere' && place.mailId === mail.id);
	const onFiles = Map.groupBy(threads, ({ place }) =>
		place.kind === 'line' || place.kind === 'file' ? place.file : undefined,
	);
	const { gitDiff, gitMessage } = patch;
	const hasGitDiff = gitDiff !== undefined && gitDiff.diff.files.length > 0;
	const diffForGit = hasGitDiff ? [gitDiff.diffText.slice(gitDiff.diff.start, gitDiff.diff.end)] : [];
	const forGit = [...(gitMessage === undefined ? [] : [`${gitMessage}\n`]), ...diffForGit];
	const viewed = viewedCount(connection, [patch]);
	const isAllViewed = viewed.of > 0 && viewed.viewed === viewed.of;
	return {
		mailId: mail.id,
		number: count > 1 ? `${index}/${count}` : '',
		title: titleOf(patch.subject === '' ? mail.subject : patch.subject),
		author: patch.author && personView(patch.author),
		added: patch.diff.added,
		removed: patch.diff.removed,
		files: files.slice(0, mostFiles).map((file, index) => {
			const count = onFiles.get(index)?.reduce((sum, { comments }) => sum + comments.length, 0) ?? 0;
			return {
				...fileStatView(file, index),
				letter: changeLetter(file.change),
				word: changeWord(file.change),
				mode: modeChange(file) ?? '',
				isViewed: isViewed(connection, patch, file),
				comments: count === 0 ? '' : commentsText(count),
			};
		}),
		moreFiles: Math.max(0, files.length - mostFiles),
		message: textBlocks(patch.message, undefined, place),
		commentary: textBlocks(withoutStatistics(patch.commentary), undefined, place),
		applied: forGit.length === 0 ? [] : wholeText(forGit.join('---\n')),
		comments: threads
			.flatMap(({ place, comments }) => comments.map((comment) => ({ place, comment })))
			.slice(0, mostComments)
			.map(({ place, comment }) => ({
				mailId: comment.mail.id,
				index: comment.index,
				writer: writerName(comment.mail),
				place: commentPlaceText(place, standing.series.patches),
				text: firstLineOf(comment),
				isQuestion: review?.open.has(comment) === true,
			})),
		viewed: { isAll: isAllViewed, text: isAllViewed ? '' : viewedText(viewed) },
		cautions: [
			...(mail.reading.kind === 'raw' ? [rawNote(mail.reading.reason)] : []),
			...cautionsOf(sentBy(mail), mail.reading),
			...gitCautions(patch),
		],
	};
}

/** Where git reads the mail in another way, or not at all. */
function gitCautions({ gitDiff, gitMessage, diff: { files } }: PatchMail): readonly string[] {
	const otherMessage = vscode.l10n.t(
		'Git reads this message differently: "What git would apply" has another commit message.',
	);
	const otherDiff =
		(gitDiff?.diff.files.length ?? 0) > 0
			? vscode.l10n.t('Git reads this message differently: "What git would apply" is not the patch shown here.')
			: vscode.l10n.t('Git reads this message differently and finds no patch in it.');
	const damaged = files.filter(({ damage }) => damage.length > 0).length;
	const damagedText =
		damaged === 1
			? vscode.l10n.t(
					'1 file of this patch is damaged: it is shown as raw text. Git rejects it or changes other lines.',
				)
			: vscode.l10n.t(
					'{0} files of this patch are damaged: they are shown as raw text. Git rejects them or changes other lines.',
					damaged,
				);
	return [
		...(gitMessage === undefined ? [] : [otherMessage]),
		...(gitDiff === undefined ? [] : [otherDiff]),
		...(damaged === 0 ? [] : [damagedText]),
	];
}

/** A mail's sender according to the forge. The series keeps it, so it survives an eviction of the mail. */
export function sentBy({ account }: SeriesMail): ShortEmail['sender'] {
	return account === undefined ? undefined : { canonicalName: account, name: account.replace(/^~/, '') };
}

/** Somebody as visible text. */
export function personView({ name, address }: MailPerson): MailPersonView {
	return { name: visibleLine(name), address: visibleLine(address) };
}

/** Removes git's statistics below `---`: the file list shows them already. */
export function withoutStatistics(commentary: string): string {
	return commentary
		.split('\n')
		.filter((line) => !isStatistics(line))
		.join('\n')
		.trim();
}
