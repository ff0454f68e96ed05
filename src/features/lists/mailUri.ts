import * as vscode from 'vscode';
import type { Email } from '../../forge/list.ts';
import { visibleLine } from '../../text/visible.ts';
import { mailScheme, type MailSubject } from './subjects.ts';

const longestTitle = 100;

/** What the query of a mail's address says. */
export interface MailView {
	/** The mail is a patch and wants its lines coloured. */
	readonly isPatch: boolean;
	/** The mail is read however large it is. */
	readonly isWhole: boolean;
}

/**
 * The address under which a mail opens: `forge-mail://<account>/<owner>/<list>/<number>/<subject>`. The subject is there
 * for the tab's title only. The same for the same mail.
 */
export function mailUri({ connectionKey, list, id }: MailSubject, mail: Email, isWhole: boolean): vscode.Uri {
	const words = [...(mail.isPatch ? ['patch'] : []), ...(isWhole ? ['whole'] : [])];
	return vscode.Uri.from({
		scheme: mailScheme,
		authority: connectionKey,
		path: `/${segment(list.owner)}/${segment(list.name)}/${id}/${titleOf(mail)}`,
		query: words.join('&'),
	});
}

/** Read back in subjects.ts. */
function segment(name: string): string {
	return encodeURIComponent(name.toWellFormed());
}

/** How the mail under this address is shown. */
export function viewOfUri({ query }: vscode.Uri): MailView {
	const words = query.split('&');
	return { isPatch: words.includes('patch'), isWhole: words.includes('whole') };
}

/**
 * The subject as a tab's title. Slashes would cut it short, so their likeness stands for them. The blank at the end
 * keeps a subject such as "Fix main.py" from being taken for the name of a file in that language.
 */
function titleOf({ subject }: Email): string {
	const line = Array.from(visibleLine(subject).replaceAll('/', '\u2215')).slice(0, longestTitle).join('');
	return `${line === '' ? vscode.l10n.t('Mail without subject') : line} `;
}
