import * as vscode from 'vscode';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import type { MailPersonView } from '../../../pages/protocol/pageProtocol.ts';
import type { PatchView } from '../../../pages/protocol/patchsetProtocol.ts';
import { answerCounts } from 'patchmail/series/answerCounts.ts';
import type { PatchMail, SeriesMail, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { fileStatView, textBlocks, wholeText } from '../../lists/mail/mailBlocks.ts';
import { cautionsOf, rawNote } from '../../lists/mail/mailCautions.ts';
import { answersText, titleOf } from '../../lists/subjects/words.ts';
import { viewedCount, viewedText } from '../../lists/reviewState/viewedFiles.ts';
import { changeLetter, changeWord, modeChange } from '../../../editor/patchDocuments/fileWords.ts';
import { webOf } from 'sourcehut/web/webOf.ts';

/** Page limit; the editor's diff lists all files. */
const mostFiles = 500;

/** View of one patch of a series. */
export function patchView(connection: Connection, standing: PatchsetReview, series: SeriesPatch): PatchView {
	const { mail, patch, index } = series;
	const { count } = standing.series;
	const place = { web: webOf(connection.instance) };
	const { files } = patch.diff;
	const answers = answerCounts(standing.mails, standing.series).byPatch.get(mail.id) ?? 0;
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
		files: files.slice(0, mostFiles).map((file, index) => ({
			...fileStatView(file, index),
			letter: changeLetter(file.change),
			word: changeWord(file.change),
			mode: modeChange(file) ?? '',
		})),
		moreFiles: Math.max(0, files.length - mostFiles),
		message: textBlocks(patch.message, undefined, place),
		commentary: textBlocks(withoutStatistics(patch.commentary), undefined, place),
		applied: forGit.length === 0 ? [] : wholeText(forGit.join('---\n')),
		replies: answers === 0 ? '' : answersText(answers),
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

const statistics =
	/^ (?:\S.*\s\|\s+(?:\d+|Bin\b).*|\.\.\..*\|.*|\d+ files? changed\b.*|(?:create|delete) mode \d+ .*|(?:rename|copy|mode change) .*)$/;

/** Removes git's statistics below `---`: the file list shows them already. */
export function withoutStatistics(commentary: string): string {
	return commentary
		.split('\n')
		.filter((line) => line.length > 1000 || !statistics.test(line))
		.join('\n')
		.trim();
}
