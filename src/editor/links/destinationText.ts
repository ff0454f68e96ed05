import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { refText, type NamedRef } from '../../forge/port/namedRef.ts';
import { forgeName, visibleLine } from '../../engine/text/visible.ts';
import type { Destination } from '../../forge/port/destination.ts';
import { likelyReading } from '../../forge/port/repositoryWay.ts';
import { destinationOfReading } from '../../forge/port/webDestination.ts';

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

/** The codicon that goes with it. */
export function destinationIcon(kind: Destination['kind']): string {
	switch (kind) {
		case 'ticket':
			return 'issues';
		case 'tracker':
			return 'project';
		case 'list':
		case 'mail':
			return 'mail';
		case 'patchset':
			return 'git-pull-request';
		case 'repository':
			return 'repo';
		case 'reference':
			return 'git-branch';
		case 'file':
		case 'inRepository':
			return 'file';
		case 'log':
			return 'history';
		case 'commit':
			return 'git-commit';
		case 'named':
			return 'search';
		case 'person':
			return 'person';
		case 'web':
			return 'globe';
	}
}

/** Full ids are cut short, names are not. */
function revisionText(revision: string): string {
	return visibleLine(/^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, 12) : revision);
}

function nameText(ref: NamedRef): string {
	return forgeName(refText(ref));
}
