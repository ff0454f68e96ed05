import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { ReferenceChange } from '../../store/inbox/inboxEntry.ts';
import { shortName } from '../../store/repositories/repositoryReferences.ts';
import { shortLine } from '../../engine/text/visible.ts';

const longestName = 60;

type PushKind = 'created' | 'tagged' | 'deleted' | 'moved';

/** Describes the first reference of a push and counts the others. */
export function pushSentence(changes: readonly ReferenceChange[], by: string | undefined): string {
	const [first, ...others] = changes;
	if (!first) {
		return by === undefined ? vscode.l10n.t('New push') : vscode.l10n.t('{0} pushed', by);
	}
	const kind = kindOf(first);
	const isAlike = others.every((change) => kindOf(change) === kind);
	const name = shortLine(shortName(first), longestName);
	const told = { name, more: others.length };
	return by === undefined ? unnamed(isAlike ? kind : 'moved', told) : named(isAlike ? kind : 'moved', by, told);
}

/** Without a commit before the reference is new, without one after it is gone. */
function kindOf({ old, now, isAnnotatedTag }: ReferenceChange): PushKind {
	if (now === undefined) {
		return 'deleted';
	}
	if (old !== undefined) {
		return 'moved';
	}
	return isAnnotatedTag ? 'tagged' : 'created';
}

interface ToldReferences {
	readonly name: string;
	/** How many others there are. */
	readonly more: number;
}

function named(kind: PushKind, by: string, { name, more }: ToldReferences): string {
	switch (kind) {
		case 'created':
			return more === 0
				? vscode.l10n.t('{0} created {1}', by, name)
				: vscode.l10n.t('{0} created {1} and {2} more', by, name, more);
		case 'tagged':
			return more === 0
				? vscode.l10n.t('{0} tagged {1}', by, name)
				: vscode.l10n.t('{0} tagged {1} and {2} more', by, name, more);
		case 'deleted':
			return more === 0
				? vscode.l10n.t('{0} deleted {1}', by, name)
				: vscode.l10n.t('{0} deleted {1} and {2} more', by, name, more);
		case 'moved':
			return more === 0
				? vscode.l10n.t('{0} pushed to {1}', by, name)
				: vscode.l10n.t('{0} pushed to {1} and {2} more', by, name, more);
		default:
			return assertNever(kind);
	}
}

function unnamed(kind: PushKind, { name, more }: ToldReferences): string {
	switch (kind) {
		case 'created':
			return more === 0 ? vscode.l10n.t('Created {0}', name) : vscode.l10n.t('Created {0} and {1} more', name, more);
		case 'tagged':
			return more === 0 ? vscode.l10n.t('Tagged {0}', name) : vscode.l10n.t('Tagged {0} and {1} more', name, more);
		case 'deleted':
			return more === 0 ? vscode.l10n.t('Deleted {0}', name) : vscode.l10n.t('Deleted {0} and {1} more', name, more);
		case 'moved':
			return more === 0
				? vscode.l10n.t('Pushed to {0}', name)
				: vscode.l10n.t('Pushed to {0} and {1} more', name, more);
		default:
			return assertNever(kind);
	}
}
