import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { GitRefusal } from 'patchmail/mail/gitWords.ts';
import type { MailDoubt } from 'patchmail/mail/mailDoubts.ts';
import type { MailReading, RawReason, SenderCaution } from 'patchmail/mail/readableMail.ts';
import { visibleLine, visibleText } from '../../../engine/text/visible.ts';

/** Search limit for hidden characters; escaping covers the whole text. */
const mostLooked = 100_000;

/** Warnings about a mail, as sentences of visible text. `sender`: according to the forge. */
export function cautionsOf(sender: ShortEmail['sender'], reading: MailReading): readonly string[] {
	if (reading.kind === 'raw') {
		return hiddenNote(reading.text);
	}
	const { mail } = reading;
	const claimed = /~[\w.-]{1,100}/.exec((mail.from[0]?.name ?? '').slice(0, 500))?.[0];
	return [
		...mail.cautions.map(cautionText),
		...mail.doubts.map(doubtText),
		...(claimed === undefined || claimed === sender?.canonicalName
			? []
			: [
					vscode.l10n.t(
						'The name of the sender mentions {0}, which is not the account that this message comes from.',
						claimed,
					),
				]),
		...hiddenNote(mail.text),
	];
}

function cautionText(caution: SenderCaution): string {
	switch (caution.kind) {
		case 'nameHoldsAddress':
			return vscode.l10n.t(
				'The name of the sender contains the email address {0}, but this message is not from there.',
				visibleLine(caution.address),
			);
		case 'oddlyWritten':
			return vscode.l10n.t('Programs read the sender of this message differently: {0}', visibleLine(caution.header));
		case 'severalSenders':
			return vscode.l10n.t('This message names several senders.');
		case 'sentByList':
			return caution.likely === undefined
				? vscode.l10n.t('A list sent this message for someone else: its sender is not the author.')
				: vscode.l10n.t(
						'A list sent this message for someone else, probably {0}. Check the author before you apply a patch.',
						visibleLine(`${caution.likely.name} <${caution.likely.address}>`),
					);
		default:
			return assertNever(caution);
	}
}

function doubtText(doubt: MailDoubt): string {
	switch (doubt.kind) {
		case 'repeatedField':
			return vscode.l10n.t(
				'This message has more than one {0} header; programs, including git, read it differently.',
				visibleLine(doubt.name),
			);
		case 'unknownEncoding':
			return vscode.l10n.t(
				'This message declares an unknown encoding, "{0}"; programs, including git, read it differently.',
				visibleLine(doubt.value),
			);
		case 'noBase64':
			return vscode.l10n.t(
				'This message declares its text as base64, but it is not; programs, including git, read it differently.',
			);
		case 'blankBeforeColon':
			return vscode.l10n.t(
				'A header of this message has a space before its colon; git stops reading headers there: {0}',
				visibleLine(doubt.line),
			);
		case 'bareReturn':
			return vscode.l10n.t(
				'The headers of this message contain a lone carriage return; programs read them differently.',
			);
		case 'noField':
			return vscode.l10n.t(
				'A line among the headers of this message is not a header; git stops reading headers there: {0}',
				visibleLine(doubt.line),
			);
		case 'blankAtStart':
			return vscode.l10n.t(
				'The first line of this message starts with a space; programs read its headers differently.',
			);
		case 'refused':
			return refusalText(doubt.refusal);
		case 'otherMessage':
			return vscode.l10n.t('Git reads this message differently and would create a different commit message.');
		case 'lostBytes':
			return vscode.l10n.t(
				'The forge lost characters of this message and shows them as {0}. Ask the sender for the patch.',
				'\uFFFD',
			);
		case 'otherCharset':
			return vscode.l10n.t(
				'Git reads the patch of this message in a different charset: {0}',
				visibleLine(doubt.charset),
			);
		default:
			return assertNever(doubt);
	}
}

function refusalText(refusal: GitRefusal): string {
	switch (refusal.kind) {
		case 'damagedWord':
			return vscode.l10n.t(
				'Git cannot read this message: encoded text in a header is damaged: {0}',
				visibleLine(refusal.header),
			);
		case 'charset':
			return vscode.l10n.t(
				'Git may be unable to read this message: it declares a charset that git does not know or that does not fit its text: {0}',
				visibleLine(refusal.charset),
			);
		case 'structure':
			return vscode.l10n.t('Git cannot read this message: its parts are nested too deep.');
		default:
			return assertNever(refusal);
	}
}

function hiddenNote(text: string): readonly string[] {
	const looked = text.slice(0, mostLooked);
	return visibleText(looked) === looked
		? []
		: [vscode.l10n.t('This message contains hidden characters. They are shown as codes such as ⟨U+202E⟩.')];
}

/** Reason for showing the raw mail. */
export function rawNote(reason: RawReason): string {
	switch (reason) {
		case 'tooLarge':
			return vscode.l10n.t('This message is larger than 1 MB and is shown as raw text.');
		case 'tooSlow':
			return vscode.l10n.t('This message took too long to parse and is shown as raw text.');
		case 'unreadable':
			return vscode.l10n.t('This message could not be parsed and is shown as raw text.');
		case 'noPlainText':
			return vscode.l10n.t('This message has no plain text and is shown as raw text.');
		default:
			return assertNever(reason);
	}
}
