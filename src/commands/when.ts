import type { PanelName, ViewName } from './viewIds.ts';

/** Context keys of our own. `setContext` calls set them; a unit test looks for each. */
export const ownKeys = [
	'forge.signedOut',
	'forge.hasProjects',
	'forge.hasArchives',
	'forge.hasKeptLists',
	'forge.canAssign',
	'forge.canEdit',
	'forge.applying',
	'forge.sample.tried',
	'forge.inbox.doneShown',
	'forge.inbox.inFront',
	'forge.outbox.active',
	'forge.page.typing',
	'forge.tickets.filtered',
	'forge.tickets.loading',
	'forge.lists.loading',
	'forge.repositories.loading',
	'forge.repositories.selected',
	'forge.search.active',
	'forge.search.running',
	'forge.history.active',
	'forge.history.running',
] as const;

/** Context keys of the editor, and settings. */
type EditorKey =
	| 'isWorkspaceTrusted'
	| 'config.forge.webhooks.receive'
	| 'explorerResourceIsRoot'
	| 'explorerResourceIsFolder'
	| 'workspaceFolderCount > 0'
	| 'editorTextFocus'
	| 'editorIsOpen'
	| 'commentEditorFocused'
	| 'commentIsEmpty';

interface TextKeys {
	readonly view: `forge.${ViewName}`;
	readonly focusedView: `forge.${ViewName}`;
	readonly activeWebviewPanelId: `forge.${PanelName}`;
	readonly resourceScheme: Scheme;
	readonly scmProvider: 'git';
	readonly commentController: 'forge.replies';
	readonly comment: 'draft' | 'suggestion';
}

/** Document schemes with commands. */
export type Scheme =
	| 'file'
	| 'forge'
	| 'forge-description'
	| 'forge-mail'
	| 'forge-new'
	| 'forge-patch'
	| 'forge-reply'
	| 'forge-review'
	| 'forge-series'
	| 'forge-suggestion'
	| 'multi-diff-editor';

export type When =
	| { readonly kind: 'set'; readonly key: string }
	| { readonly kind: 'is'; readonly key: string; readonly values: readonly string[] }
	| { readonly kind: 'matches'; readonly key: string; readonly pattern: string }
	| { readonly kind: 'not'; readonly of: When }
	| { readonly kind: 'all' | 'any'; readonly of: readonly When[] };

export function set(key: (typeof ownKeys)[number] | EditorKey): When {
	return { kind: 'set', key };
}

/** True if the key has one of the values. */
export function is<Key extends keyof TextKeys>(key: Key, ...values: readonly TextKeys[Key][]): When {
	return { kind: 'is', key, values };
}

export function not(of: When): When {
	return { kind: 'not', of };
}

export function all(...of: readonly When[]): When {
	return { kind: 'all', of };
}

export function any(...of: readonly When[]): When {
	return { kind: 'any', of };
}

export const signedIn = not(set('forge.signedOut'));
export const trusted = set('isWorkspaceTrusted');
export const hasFolder = set('workspaceFolderCount > 0');

export function scheme(...schemes: readonly Scheme[]): When {
	return is('resourceScheme', ...schemes);
}

/** One of these pages is active. */
export function page(...names: readonly PanelName[]): When {
	return is('activeWebviewPanelId', ...names.map((name) => `forge.${name}` as const));
}

/** A patchset is active: its page, a diff of one of its patches, or the Lists view. */
export const patchInFront = all(
	signedIn,
	any(page('patchset', 'thread'), scheme('forge-patch', 'forge-review', 'multi-diff-editor'), focused('lists')),
);

export function focused(...names: readonly ViewName[]): When {
	return is('focusedView', ...names.map((name) => `forge.${name}` as const));
}

/** The clause in manifest syntax. */
export function whenText(when: When): string {
	switch (when.kind) {
		case 'set':
			return when.key;
		case 'is':
			return when.values.length === 1
				? `${when.key} == ${when.values[0]}`
				: `${when.key} =~ /^(${when.values.map((value) => value.replaceAll('.', '\\.')).join('|')})$/`;
		case 'matches':
			return `${when.key} =~ /${when.pattern}/`;
		case 'not':
			return negated(when.of);
		case 'all':
			return when.of.map((each) => (each.kind === 'any' ? `(${whenText(each)})` : whenText(each))).join(' && ');
		case 'any':
			return when.of.map(whenText).join(' || ');
	}
}

function negated(when: When): string {
	if (when.kind === 'set' && !when.key.includes(' ')) {
		return `!${when.key}`;
	}
	return when.kind === 'is' && when.values.length === 1 ? `${when.key} != ${when.values[0]}` : `!(${whenText(when)})`;
}
