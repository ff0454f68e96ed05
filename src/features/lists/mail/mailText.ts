import * as vscode from 'vscode';
import type { Email } from 'sourcehut/port/list.ts';
import type { MailPerson, MailReading, ReadableMail } from 'patchmail/mail/readableMail.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { personText } from '../subjects/words.ts';
import { cautionsOf, rawNote } from './mailCautions.ts';

/** Further people and attachments only count. */
const mostListed = 50;

/**
 * A mail as text document. The head has sender, date, subject and warnings as visible text, and ends with a blank line.
 * The body is the text or the raw mail; it may be long and contain hidden characters. `onForge`: the forge's data;
 * `undefined` for archived mails. `signatures`: sentences on them. `hasAccounts`: false in an archive.
 */
export function mailParts(
	onForge: Email | undefined,
	reading: MailReading,
	signatures: readonly string[],
	hasAccounts: boolean,
): { readonly head: string; readonly body: string } {
	const cautions = cautionsOf(onForge?.sender, reading);
	if (reading.kind === 'raw') {
		return { head: [rawNote(reading.reason), ...cautions, '', ''].join('\n'), body: reading.text };
	}
	const { mail } = reading;
	const notes = cautions.length === 0 ? [] : ['', ...cautions.map((note) => `⚠ ${note}`)];
	return {
		head: [...headerLines(onForge, mail, signatures, hasAccounts), ...notes, '', ''].join('\n'),
		body: `${mail.text.trimEnd()}\n`,
	};
}

function headerLines(
	onForge: Email | undefined,
	mail: ReadableMail,
	signatures: readonly string[],
	hasAccounts: boolean,
): readonly string[] {
	const locale = vscode.env.language;
	const { dateMs } = mail;
	const received = onForge ? [vscode.l10n.t('received {0}', fullTime(onForge.createdMs, locale))] : [];
	const bytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
	// The names of headers are the same in every language, and the grammar of these documents knows them.
	return [
		line('From', peopleText(mail.from)),
		...(onForge && hasAccounts
			? [
					line(
						vscode.l10n.t('Account'),
						onForge.sender ? visibleLine(onForge.sender.canonicalName) : vscode.l10n.t('none on this forge'),
					),
				]
			: []),
		...signatures.map((text) => line(vscode.l10n.t('Signature'), text)),
		line('To', peopleText(mail.to)),
		...(mail.cc.length === 0 ? [] : [line('Cc', peopleText(mail.cc))]),
		...(dateMs === undefined ? received : [fullTime(dateMs, locale)]).map((text) => line('Date', text)),
		line('Subject', visibleLine(mail.subject)),
		...mail.attachments.slice(0, mostListed).map(({ name, type, size }) => {
			const shown = visibleLine(name ?? vscode.l10n.t('without name'));
			return line(vscode.l10n.t('Attachment'), `${shown} (${visibleLine(type)}, ${bytes.format(size)})`);
		}),
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
