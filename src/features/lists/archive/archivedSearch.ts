import * as vscode from 'vscode';
import { patchSubject } from '../../../forge/port/patchSubject.ts';
import { isMarkKind } from '../../../engine/search/mails/listGrammar.ts';
import type { ListCondition, ListFilter } from '../../../engine/search/mails/listTerm.ts';
import type { SearchedMail } from '../../../engine/search/mails/searchedMail.ts';
import { asksForPull } from '../../../engine/series/pullRequest.ts';
import type { ArchivedMail } from '../../../store/lists/listArchives.ts';
import type { MailTexts } from '../../../store/lists/listMailTexts.ts';

/** Subject of a mail, from the raw header line if the mail is unreadable. */
export function subjectOf({ reading }: Pick<ArchivedMail, 'reading'>): string {
	return reading.kind === 'read'
		? reading.mail.subject
		: (/^subject:[ \t]*(.*)$/im.exec(reading.text.slice(0, headLength))?.[1] ?? '');
}

/** Headers are seldom longer. */
const headLength = 64_000;

/** A mail of an archive as the search looks at it. */
export function searchedArchived(
	{ reading }: Pick<ArchivedMail, 'reading'>,
	texts: Pick<MailTexts, 'patchOf'>,
): SearchedMail {
	const subject = subjectOf({ reading });
	const mail = reading.kind === 'read' ? reading.mail : undefined;
	const prefix = patchSubject(subject)?.prefix;
	return {
		subject,
		account: undefined,
		isReply: mail?.inReplyTo !== undefined || (mail?.references.length ?? 0) > 0,
		// Lazy: few filters need it, and it scans the text.
		get isPatch() {
			return texts.patchOf({ reading, subject }) !== undefined;
		},
		get isRequestPull() {
			return asksForPull({ subject, isTold: undefined, reading });
		},
		patchset: prefix === undefined ? undefined : { status: 'unknown', prefix },
		mark: undefined,
		read: mail ?? {
			from: [],
			to: [],
			cc: [],
			headers: [],
			dateMs: undefined,
			text: reading.kind === 'raw' ? reading.text : '',
		},
	};
}

/** Valid terms that completion skips: an archive lacks their data. */
export const untoldTerms: ReadonlySet<string> = new Set(['status:', 'changed', 'new', 'unread']);

/** Unsupported term of a filter, as sentences with the next step. */
export function archiveComplaint({ terms }: ListFilter): string | undefined {
	return terms.map(({ condition }) => complaintOf(condition)).find((complaint) => complaint !== undefined);
}

function complaintOf(condition: ListCondition): string | undefined {
	switch (condition.kind) {
		case 'status':
			return vscode.l10n.t('An archive does not say the status of patchsets. Filter the list by it instead.');
		case 'is':
			return isMarkKind(condition.what)
				? vscode.l10n.t('An archive does not say what you have viewed. Filter the list by it instead.')
				: undefined;
		case 'from':
			return condition.person.kind === 'named' && condition.person.name.startsWith('~')
				? vscode.l10n.t('Messages in an archive name no accounts. Type an email address or a part of a name instead.')
				: undefined;
		case 'to':
		case 'cc':
		case 'prefix':
		case 'sent':
		case 'header':
		case 'text':
			return undefined;
	}
}
