import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Email } from '../../forge/list.ts';
import type { MailAttachment, MailPerson, MailReading, ReadableMail, SenderCaution } from '../../mailParser.ts';
import { fullTime } from '../../text/age.ts';
import { visible, visibleLine } from '../../text/visible.ts';

/** More people or attachments than this are counted and not listed. */
const mostListed = 50;

/** Breaks that an editor would take for the end of a line, though the mail does not mean one. */
const oddBreaks = /[\r\u2028\u2029]/g;

/** A mail as the text of a read-only document: who, when and what first, then what it says, hidden characters shown. */
export function mailText(email: Email, reading: MailReading): string {
	if (reading.kind === 'raw') {
		return [rawNote(reading.reason), ...hiddenNote(reading.text), '', allVisible(reading.text)].join('\n');
	}
	const { mail } = reading;
	const notes = [...mail.cautions.map(cautionText), ...accountCautions(email, mail), ...hiddenNote(mail.text)];
	return [
		...headerLines(email, mail),
		...(notes.length === 0 ? [] : ['', ...notes.map((note) => `⚠ ${note}`)]),
		'',
		allVisible(mail.text.trimEnd()),
		'',
	].join('\n');
}

function headerLines(email: Email, mail: ReadableMail): readonly string[] {
	const locale = vscode.env.language;
	return [
		line(vscode.l10n.t('From'), peopleText(mail.from)),
		line(vscode.l10n.t('Account'), accountText(email)),
		line(vscode.l10n.t('To'), peopleText(mail.to)),
		...(mail.cc.length === 0 ? [] : [line(vscode.l10n.t('Cc'), peopleText(mail.cc))]),
		line(
			vscode.l10n.t('Date'),
			mail.dateMs === undefined
				? vscode.l10n.t('received {0}', fullTime(email.createdMs, locale))
				: fullTime(mail.dateMs, locale),
		),
		line(vscode.l10n.t('Subject'), visibleLine(mail.subject)),
		...mail.attachments
			.slice(0, mostListed)
			.map((attachment) => line(vscode.l10n.t('Attachment'), attachmentText(attachment))),
		...more(mail.attachments.length),
	];
}

function line(name: string, value: string): string {
	return `${name}: ${value}`;
}

function more(length: number): readonly string[] {
	return length > mostListed ? [vscode.l10n.t('and {0} more', length - mostListed)] : [];
}

function peopleText(people: readonly MailPerson[]): string {
	return [...people.slice(0, mostListed).map(personText), ...more(people.length)].join(', ');
}

/** The address always, because the name is only what somebody calls themselves. */
function personText({ name, address }: MailPerson): string {
	return name === '' ? visibleLine(address) : `${visibleLine(name)} <${visibleLine(address)}>`;
}

function accountText({ sender }: Email): string {
	return sender ? visibleLine(sender.canonicalName) : vscode.l10n.t('none on this forge');
}

function attachmentText({ name, type, size }: MailAttachment): string {
	const bytes = new Intl.NumberFormat(vscode.env.language, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
	return `${visibleLine(name ?? vscode.l10n.t('without name'))} (${visibleLine(type)}, ${bytes.format(size)})`;
}

function cautionText(caution: SenderCaution): string {
	switch (caution.kind) {
		case 'nameHoldsAddress':
			return vscode.l10n.t(
				'The name of the sender holds the address {0}, which this mail does not come from.',
				visibleLine(caution.address),
			);
		case 'oddlyWritten':
			return vscode.l10n.t(
				'The sender is written such that programs read it differently: {0}',
				visibleLine(caution.header),
			);
		case 'severalSenders':
			return vscode.l10n.t('This mail names several senders.');
		default:
			return assertNever(caution);
	}
}

/** A name that claims an account which the address does not belong to. */
function accountCautions({ sender }: Email, { from }: ReadableMail): readonly string[] {
	const claimed = /~[\w.-]{1,100}/.exec((from[0]?.name ?? '').slice(0, 500))?.[0];
	return claimed === undefined || claimed === sender?.canonicalName
		? []
		: [
				vscode.l10n.t(
					'The name of the sender mentions {0}, which is not the account that this mail comes from.',
					claimed,
				),
			];
}

function rawNote(reason: Extract<MailReading, { kind: 'raw' }>['reason']): string {
	switch (reason) {
		case 'tooLarge':
			return vscode.l10n.t('This mail is larger than 1 MB and is shown as it came.');
		case 'tooSlow':
			return vscode.l10n.t('This mail took too long to take apart and is shown as it came.');
		case 'unreadable':
			return vscode.l10n.t('This mail could not be taken apart and is shown as it came.');
		case 'noPlainText':
			return vscode.l10n.t('This mail has no plain text and is shown as it came.');
		default:
			return assertNever(reason);
	}
}

function hiddenNote(text: string): readonly string[] {
	return allVisible(text) === text
		? []
		: [vscode.l10n.t('This mail holds hidden characters. They are written out, as ⟨U+202E⟩.')];
}

function allVisible(text: string): string {
	return visible(text).replaceAll(
		oddBreaks,
		(mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
	);
}

const longestFirstLine = 120;

/** What an answer says first: its first line that is neither a quote nor the announcement of one. */
export function firstLine(text: string): string | undefined {
	const lines = text.split('\n', 200).map((each) => each.slice(0, 4 * longestFirstLine).trim());
	const own = lines.find(
		(each, at) =>
			each !== '' && !each.startsWith('>') && !(each.endsWith(':') && lines[at + 1]?.startsWith('>') === true),
	);
	return own === undefined ? undefined : Array.from(visibleLine(own)).slice(0, longestFirstLine).join('');
}
