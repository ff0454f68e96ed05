import * as vscode from 'vscode';
import type { Email } from 'sourcehut/port/list.ts';
import type { MailAttachment, MailPerson, MailReading, ReadableMail } from 'patchmail/mail/readableMail.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { personText } from '../subjects/words.ts';
import { cautionsOf, rawNote } from './mailCautions.ts';

/** Further people and attachments only count. */
const mostListed = 50;

/**
 * A mail as text document. The head has sender, date, subject and warnings as visible text, and ends with a blank line.
 * The body is the text or the raw mail; it may be long and contain hidden characters. `told`: the forge's data;
 * `undefined` for archived mails.
 */
export function mailParts(
	told: Email | undefined,
	reading: MailReading,
): { readonly head: string; readonly body: string } {
	const cautions = cautionsOf(told?.sender, reading);
	if (reading.kind === 'raw') {
		return { head: [rawNote(reading.reason), ...cautions, '', ''].join('\n'), body: reading.text };
	}
	const { mail } = reading;
	const notes = cautions.length === 0 ? [] : ['', ...cautions.map((note) => `⚠ ${note}`)];
	return { head: [...headerLines(told, mail), ...notes, '', ''].join('\n'), body: `${mail.text.trimEnd()}\n` };
}

function headerLines(told: Email | undefined, mail: ReadableMail): readonly string[] {
	// The names of headers are the same in every language, and the grammar of these documents knows them.
	return [
		line('From', peopleText(mail.from)),
		...(told ? [line(vscode.l10n.t('Account'), accountText(told.sender))] : []),
		line('To', peopleText(mail.to)),
		...(mail.cc.length === 0 ? [] : [line('Cc', peopleText(mail.cc))]),
		...dateText(mail.dateMs, told?.createdMs).map((text) => line('Date', text)),
		line('Subject', visibleLine(mail.subject)),
		...mail.attachments
			.slice(0, mostListed)
			.map((attachment) => line(vscode.l10n.t('Attachment'), attachmentText(attachment))),
		...more(mail.attachments.length),
	];
}

/** Empty if neither the mail nor the forge has a date. */
function dateText(dateMs: number | undefined, createdMs: number | undefined): readonly string[] {
	const locale = vscode.env.language;
	if (dateMs !== undefined) {
		return [fullTime(dateMs, locale)];
	}
	return createdMs === undefined ? [] : [vscode.l10n.t('received {0}', fullTime(createdMs, locale))];
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

function accountText(sender: Email['sender']): string {
	return sender ? visibleLine(sender.canonicalName) : vscode.l10n.t('none on this forge');
}

function attachmentText({ name, type, size }: MailAttachment): string {
	const bytes = new Intl.NumberFormat(vscode.env.language, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
	return `${visibleLine(name ?? vscode.l10n.t('without name'))} (${visibleLine(type)}, ${bytes.format(size)})`;
}

const longestFirstLine = 120;

/** First own line of a reply: neither a quote nor the line that introduces one. */
export function firstLine(text: string): string | undefined {
	const lines = text.split('\n', 200).map((each) => each.slice(0, 4 * longestFirstLine).trim());
	const own = lines.find(
		(each, at) =>
			each !== '' && !each.startsWith('>') && !(each.endsWith(':') && lines[at + 1]?.startsWith('>') === true),
	);
	return own === undefined ? undefined : Array.from(visibleLine(own)).slice(0, longestFirstLine).join('');
}
