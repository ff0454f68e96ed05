/** The native views, as package.json contributes them. */
export const viewIds = [
	'forge.inbox',
	'forge.tickets',
	'forge.lists',
	'forge.repositories',
	'forge.search',
	'forge.history',
] as const;
export type ViewId = (typeof viewIds)[number];
export type ViewName = ViewId extends `forge.${infer Name}` ? Name : never;

/** What a view shows instead of rows; a context key `<view id>.state` carries it to the welcome texts. */
export type ViewState = 'loading' | 'signedOut' | 'empty' | 'failed' | 'offline' | 'ready';

/**
 * Why a view has no rows in the states `failed` and `offline`. The editor shows a view's welcome text only while its
 * message is empty, so the reason comes as the context key `<view id>.problem`, with one text in package.json for each.
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

/** The pages. Each type of a webview panel is its name behind `forge.`. */
export const panelNames = ['ticket', 'thread', 'patchset', 'person', 'repository', 'commit'] as const;
export type PanelName = (typeof panelNames)[number];
