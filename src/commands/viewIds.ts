/** Native views, contributed in package.json. */
export const viewIds = [
	'forge.inbox',
	'forge.outbox',
	'forge.tickets',
	'forge.lists',
	'forge.repositories',
	'forge.search',
	'forge.history',
] as const;
export type ViewId = (typeof viewIds)[number];

/** A value for each view. */
export function forEachView<T>(make: (id: ViewId) => T): Readonly<Record<ViewId, T>> {
	return {
		'forge.inbox': make('forge.inbox'),
		'forge.outbox': make('forge.outbox'),
		'forge.tickets': make('forge.tickets'),
		'forge.lists': make('forge.lists'),
		'forge.repositories': make('forge.repositories'),
		'forge.search': make('forge.search'),
		'forge.history': make('forge.history'),
	};
}

export type ViewName = ViewId extends `forge.${infer Name}` ? Name : never;

/** Placeholder state of a view. The context key `<view id>.state` passes it to the welcome texts. */
export type ViewState = 'loading' | 'signedOut' | 'empty' | 'failed' | 'offline' | 'ready';

/**
 * Why a view has no rows in the states `failed` and `offline`. The editor shows a view's welcome text only while its
 * message is empty. So the context key `<view id>.problem` passes the reason, and package.json has one text for each.
 */
export const viewProblems = [
	'cancelled',
	'signIn',
	'busy',
	'notAllowed',
	'server',
	'other',
	'network',
	'certificate',
	'proxy',
] as const;
export type ViewProblem = (typeof viewProblems)[number];

/** Pages. The type of a webview panel is this name with the prefix `forge.`. */
export const panelNames = ['ticket', 'thread', 'patchset', 'repository', 'commit', 'connection'] as const;
export type PanelName = (typeof panelNames)[number];

/** Pages of a type that several things have, so that one may replace another. */
export const replaceablePages = panelNames.filter((name) => name !== 'connection');
