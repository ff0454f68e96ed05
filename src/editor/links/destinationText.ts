import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import { forgeName, visibleLine } from '../../engine/text/visible.ts';
import type { Destination } from 'sourcehut/port/destination.ts';
import { likelyReading, destinationOfReading } from 'sourcehut/web/repositoryWay.ts';
import type { ContentArea, ForgeInstance } from 'sourcehut/port/instance.ts';
import { webOf } from './webOf.ts';

/** Name of a destination in a list. An ambiguous one gets its most likely name. */
export function destinationText(to: Destination): string {
	const { t } = vscode.l10n;
	switch (to.kind) {
		case 'ticket':
			return t('Ticket {0}#{1}', nameText(to.ref.tracker), to.ref.id);
		case 'tracker':
			return t('Tracker {0}', nameText(to.ref));
		case 'list':
			return t('Mailing list {0}', nameText(to.ref));
		case 'patchset':
			return t('Patchset {0} of {1}', to.ref.id, nameText(to.ref.list));
		case 'mail':
			return t('Message {0}', visibleLine(to.messageId));
		case 'repository':
			return t('Repository {0}', nameText(to.ref));
		case 'reference':
			return t('{0} at {1}', nameText(to.ref), revisionText(to.revision));
		case 'file':
			return t('{0} in {1} at {2}', visibleLine(to.at.path), nameText(to.ref), revisionText(to.at.ref));
		case 'inRepository':
			return destinationText(destinationOfReading(to.ref, to.way, likelyReading(to.way)));
		case 'log':
			return to.path === undefined
				? t('Commits of {0} at {1}', nameText(to.ref), revisionText(to.revision))
				: t('History of {0} in {1} at {2}', visibleLine(to.path), nameText(to.ref), revisionText(to.revision));
		case 'commit':
			return t('Commit {0} of {1}', visibleLine(to.id.slice(0, 12)), nameText(to.ref));
		case 'named':
			return t('Find {0}', nameText(to.ref));
		case 'person':
			return t('Person {0}', visibleLine(to.name));
		case 'web':
			return t('Open on the web: {0}', visibleLine(to.href));
		default:
			return assertNever(to);
	}
}

/** Codicon of each kind. `hasView`: the kind opens in a page or document of its own. `area`: absent for any area. */
export const destinationLooks: Readonly<
	Record<Destination['kind'], { readonly icon: string; readonly hasView: boolean; readonly area?: ContentArea }>
> = {
	ticket: { icon: 'issues', hasView: true, area: 'todo' },
	// A whole tracker or list has a row in a view and no page: there the web shows more than a question would.
	tracker: { icon: 'project', hasView: false, area: 'todo' },
	list: { icon: 'mail', hasView: false, area: 'lists' },
	mail: { icon: 'mail', hasView: true, area: 'lists' },
	patchset: { icon: 'git-pull-request', hasView: true, area: 'lists' },
	repository: { icon: 'repo', hasView: true, area: 'git' },
	reference: { icon: 'git-branch', hasView: true, area: 'git' },
	file: { icon: 'file', hasView: true, area: 'git' },
	inRepository: { icon: 'file', hasView: true, area: 'git' },
	log: { icon: 'history', hasView: true, area: 'git' },
	commit: { icon: 'git-commit', hasView: true, area: 'git' },
	named: { icon: 'search', hasView: false },
	person: { icon: 'person', hasView: true },
	web: { icon: 'globe', hasView: false },
};

/** Destination of a URL at the first forge that it belongs to. */
export function firstAt<T>(url: URL, all: readonly T[], instanceOf: (each: T) => ForgeInstance) {
	for (const at of all) {
		const to = webOf(instanceOf(at)).destination(url);
		if (to) {
			return { at, to };
		}
	}
	return undefined;
}

/** Full ids are cut short, names are not. */
function revisionText(revision: string): string {
	return visibleLine(/^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, 12) : revision);
}

function nameText(ref: NamedRef): string {
	return forgeName(refText(ref));
}
