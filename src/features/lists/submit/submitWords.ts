import * as vscode from 'vscode';
import type { MailDraftFault } from '../../../mail/mailDraftText.ts';
import { mailText } from '../../../mail/outgoingMail.ts';
import type { SendProblem } from '../../../series/sendChecks.ts';
import { shortLine, visibleLine } from '../../../text/visible.ts';
import { mailsText } from '../reply/sendWords.ts';
import type { BadCover, ReadSeries } from './readSeries.ts';
import type { PreparedSeries } from './keptSeries.ts';

export function commitsText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', count);
}

/** A series in lists and notices. */
export function seriesTitle({ tag, title }: Pick<PreparedSeries, 'tag' | 'title'>): string {
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

/** What is wrong with a series, and what to do. */
function problemText(problem: SendProblem): string {
	switch (problem.kind) {
		case 'unsendable':
			return vscode.l10n.t(
				'"{0}" can\'t be sent: it has carriage returns, control characters, or text that is not UTF-8.',
				named(problem.subject),
			);
		case 'missingPatch':
			return vscode.l10n.t('Patch {0} of {1} is missing.', problem.index, problem.count);
		case 'wrongOrder':
			return vscode.l10n.t('The patches are not in the order of their numbers.');
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

function named(subject: string): string {
	return shortLine(subject, 80);
}

/** What keeps a cover letter from being one. */
export function coverFaultText(fault: MailDraftFault): string {
	switch (fault.kind) {
		case 'nobody':
			return vscode.l10n.t('Add a recipient to the cover letter after "To:".');
		case 'badPeople':
			return vscode.l10n.t('Correct this address in the cover letter: {0}', shortLine(fault.text, 100));
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

/** The document that shows a series before it is sent. */
export function previewText(read: ReadSeries | BadCover): string {
	if ('fault' in read) {
		return coverFaultText(read.fault);
	}
	const { series, mails, problems } = read;
	const head = [`${seriesTitle(series)}: ${progressText(series)}`, ...problems.map(problemText)];
	const shown = mails.map((mail, at) => [mailHead(series, at, mails.length), mailText(mail)].join('\n'));
	return [head.join('\n'), ...shown].join('\n\n');
}

function mailHead({ mails }: PreparedSeries, at: number, count: number): string {
	const kind = mails[at]?.progress.kind ?? 'waiting';
	switch (kind) {
		case 'sent':
			return vscode.l10n.t('---------- Mail {0} of {1}, sent ----------', at + 1, count);
		case 'unsure':
		case 'underWay':
			return vscode.l10n.t('---------- Mail {0} of {1}, perhaps sent ----------', at + 1, count);
		case 'waiting':
		case 'notSent':
			return vscode.l10n.t('---------- Mail {0} of {1} ----------', at + 1, count);
	}
}

/** Who sends what, for the question before it is done, and what is wrong with it. */
export function problemsDetail(problems: readonly SendProblem[]): string {
	const most = 15;
	const more = problems.length - most;
	return [...problems.slice(0, most).map(problemText), ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(
		'\n',
	);
}
