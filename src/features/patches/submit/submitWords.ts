import * as vscode from 'vscode';
import type { MailDraftFault } from 'patchmail/mail/mailDraftText.ts';
import { mailText } from 'patchmail/mail/outgoingMail.ts';
import { peopleText } from 'patchmail/mail/writtenAddress.ts';
import type { EditedPatchFault } from 'patchmail/review/editedPatch.ts';
import type { SendProblem } from 'patchmail/series/sendChecks.ts';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { editedFaultText, mailsText } from '../../lists/send/sendWords.ts';
import type { CommandPeople } from './commandPeople.ts';
import { doubtfulBytesTexts } from '../../lists/subjects/trailerBytesTexts.ts';
import type { ReadSeries } from './readSeries.ts';
import type { PreparedSeries } from './savedSeries.ts';

export function commitsText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', count);
}

/** A command in git's settings and its result. */
export function commandText({ setting, people }: CommandPeople): string {
	if (!people) {
		return vscode.l10n.t('{0}: not run', setting);
	}
	return people.length === 1
		? vscode.l10n.t('{0}: 1 recipient', setting)
		: vscode.l10n.t('{0}: {1} recipients', setting, people.length);
}

/** A series in lists and notices. */
export function seriesTitle({ tag, title }: PreparedSeries): string {
	return shortLine(`[${tag}] ${title}`, 120);
}

export function sentCount({ mails }: PreparedSeries): number {
	return mails.filter(({ progress }) => progress.kind === 'sent').length;
}

/** How far sending is, in a few words. */
export function progressText(series: PreparedSeries): string {
	const sent = sentCount(series);
	return sent === 0
		? vscode.l10n.t('{0}, not sent', mailsText(series.mails.length))
		: vscode.l10n.t('{0} of {1} sent', sent, mailsText(series.mails.length));
}

/** A problem of a series with the next step. */
function problemText(problem: SendProblem): string {
	switch (problem.kind) {
		case 'unsendable':
			return vscode.l10n.t(
				'"{0}" can\'t be sent: readers of its message would get another patch than the commit has.',
				named(problem.subject),
			);
		case 'missingPatch':
			return vscode.l10n.t('Patch {0} of {1} is missing.', problem.index, problem.count);
		case 'wrongOrder':
			return vscode.l10n.t('The patches are not in the order of their numbers.');
		case 'patchInCover':
			return vscode.l10n.t('The cover letter has a patch that is not quoted, and would count as one of the series.');
		case 'unwrittenChanges':
			return vscode.l10n.t(
				'The cover letter has nothing below "Changes since v{0}:". Write the changes, or delete the line.',
				problem.version,
			);
		case 'otherMessage':
			return vscode.l10n.t(
				'Git changes the message of "{0}" when it applies the patch. It removes brackets at the start of a subject, and ends a message at a line "---" and at a diff.',
				named(problem.subject),
			);
		case 'otherAuthor':
			return vscode.l10n.t(
				'Git takes {0} for the author of "{1}" when it applies the patch. Check the first lines of its message.',
				named(problem.author),
				named(problem.subject),
			);
		case 'stops':
			return vscode.l10n.t(
				'Git can\'t apply "{0}" on top of the commit before the first patch and the patches before it. It stops at {1}.',
				named(problem.subject),
				visibleLine(problem.path),
			);
		case 'otherFile':
			return vscode.l10n.t(
				'Git makes another {1} of "{0}" than your commit has, so the patches can\'t be sent.',
				named(problem.subject),
				visibleLine(problem.path),
			);
		case 'mergedFiles':
			return vscode.l10n.t(
				'The patches lead to other files than your branch: a merge has changes that no patch has. Rebase the branch to send them.',
			);
		case 'untried':
			return vscode.l10n.t('Git could not try these patches, so it is not known whether they apply.');
		case 'unpublishedBase':
			return unpublishedText(problem.commits, problem.isNamed);
		case 'unknownAddress':
			return vscode.l10n.t(
				'{0} is in no message of the list and in no commit of the series. Check the address.',
				named(problem.address),
			);
		case 'commandNotRun':
			return problem.field === 'header'
				? vscode.l10n.t('{0} was not run. The messages leave without its headers.', problem.setting)
				: vscode.l10n.t('{0} was not run. The messages leave without its recipients.', problem.setting);
		case 'trailer':
			return trailerProblemText(problem.trailer);
		case 'merge':
			return vscode.l10n.t('"{0}" is a merge, which is left out.', named(problem.subject));
		case 'empty':
			return vscode.l10n.t('"{0}" changes nothing and is left out.', named(problem.subject));
		case 'uncommitted':
			return problem.files === 1
				? vscode.l10n.t('1 file has uncommitted changes, which are not sent.')
				: vscode.l10n.t('{0} files have uncommitted changes, which are not sent.', problem.files);
		case 'longSubject':
			return vscode.l10n.t('The subject "{0}" is longer than 72 characters.', named(problem.subject));
		case 'noSignOff':
			return vscode.l10n.t('"{0}" has no Signed-off-by.', named(problem.subject));
		case 'trailingBlanks': {
			const { path, subject, lines } = problem;
			return lines === 1
				? vscode.l10n.t('"{0}" adds trailing whitespace to 1 line of {1}.', named(subject), visibleLine(path))
				: vscode.l10n.t(
						'"{0}" adds trailing whitespace to {1} lines of {2}.',
						named(subject),
						lines,
						visibleLine(path),
					);
		}
	}
}

function trailerProblemText(trailer: GivenTrailer): string {
	const line = named(`${trailer.key}: ${trailer.value}`);
	return doubtfulBytesTexts(trailer)
		.map(({ indexes, text }) =>
			indexes.length === 1
				? vscode.l10n.t('Check "{0}" of patch {1}. {2}', line, indexes[0] ?? 0, text)
				: vscode.l10n.t('Check "{0}" of patches {1}. {2}', line, indexes.join(', '), text),
		)
		.join('\n');
}

/** The remote branch has no base of the series. */
function unpublishedText(commits: number, isNamed: boolean): string {
	if (!isNamed) {
		return vscode.l10n.t('No remote branch has the commit before the first patch, so others may not have it.');
	}
	return commits === 1
		? vscode.l10n.t('The patches need 1 commit that no remote branch has. They name it as a prerequisite.')
		: vscode.l10n.t(
				'The patches need {0} commits that no remote branch has. They name them as prerequisites.',
				commits,
			);
}

function named(subject: string): string {
	return shortLine(subject, 80);
}

/** Reason why a cover letter is invalid. */
export function coverFaultText(fault: MailDraftFault): string {
	switch (fault.kind) {
		case 'nobody':
			return vscode.l10n.t('Add a recipient to the cover letter after "To:".');
		case 'badPeople':
			return vscode.l10n.t('Correct this email address in the cover letter: {0}', shortLine(fault.text, 100));
		case 'badHeader':
		case 'twice':
			return vscode.l10n.t(
				'Correct this line above the empty line of the cover letter: {0}',
				shortLine(fault.text, 100),
			);
		case 'noSubject':
			return vscode.l10n.t('Add a subject to the cover letter after "Subject:".');
		case 'noText':
			return vscode.l10n.t('Write the text of the cover letter below the empty line.');
	}
}

/** Reason why an edited patch can't be sent, with the next step. */
export function patchFaultText(fault: EditedPatchFault): string {
	switch (fault.kind) {
		case 'changedDiff':
			return vscode.l10n.t(
				'Its diff has to stay as the commit has it. Undo your changes of the diff, or change the commit and use Send Patches… again.',
			);
		case 'otherTag':
			return vscode.l10n.t('Its subject has to begin with "{0}".', shortLine(fault.text, 100));
		case 'otherThread':
			return fault.text === ''
				? vscode.l10n.t('The first message of a series replies to no other. Remove the line "In-Reply-To:".')
				: vscode.l10n.t(
						'A series must stay in one thread. Restore this line: "In-Reply-To: {0}".',
						shortLine(fault.text, 100),
					);
		case 'badHeader':
		case 'badSender':
		case 'unsendableText':
		case 'nobody':
		case 'badPeople':
		case 'twice':
		case 'noSubject':
		case 'noText':
			return editedFaultText(fault);
	}
}

/** Preview document of a series. */
export function previewText(read: ReadSeries | { readonly fault: MailDraftFault }): string {
	if ('fault' in read) {
		return coverFaultText(read.fault);
	}
	const { series, mails, edited, broken, problems } = read;
	const recipients = mails.flatMap(({ to, cc }) => [...to, ...cc]);
	const head = [
		`${seriesTitle(series)}: ${progressText(series)}`,
		...series.commands.flatMap(({ setting, people = [] }) => {
			const left = people.filter(({ address }) => recipients.some((each) => each.address === address));
			return left.length === 0 ? [] : [vscode.l10n.t('From {0}: {1}', setting, visibleLine(peopleText(left)))];
		}),
		...broken.map(({ at, fault }) =>
			vscode.l10n.t("Message {0} can't be sent as it was edited. {1}", at + 1, patchFaultText(fault)),
		),
		...problems.map(problemText),
	];
	const texts = new Map(broken.map(({ at, text }) => [at, text]));
	const count = series.mails.length;
	const shown = mails.map((mail, at) => {
		const kind = series.mails[at]?.progress.kind ?? 'waiting';
		const unsent = edited.has(at)
			? vscode.l10n.t('---------- Message {0} of {1}, edited ----------', at + 1, count)
			: vscode.l10n.t('---------- Message {0} of {1} ----------', at + 1, count);
		const unsure = vscode.l10n.t('---------- Message {0} of {1}, perhaps sent ----------', at + 1, count);
		const heads = {
			sent: vscode.l10n.t('---------- Message {0} of {1}, sent ----------', at + 1, count),
			unsure,
			underWay: unsure,
			waiting: unsent,
			notSent: unsent,
		};
		return [heads[kind], texts.get(at) ?? mailText(mail)].join('\n');
	});
	return [head.join('\n'), ...shown].join('\n\n');
}

/** Sender, recipients and problems for the confirmation. */
export function problemsDetail(problems: readonly SendProblem[]): string {
	const most = 15;
	const more = problems.length - most;
	return [...problems.slice(0, most).map(problemText), ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(
		'\n',
	);
}
