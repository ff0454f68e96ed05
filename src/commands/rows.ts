import type { ViewName } from './viewIds.ts';

/** Views of a row kind, and the marks of its context value, in order. */
interface RowKindFacts {
	readonly views: readonly ViewName[];
	readonly marks: readonly string[];
}

const tickets = ['tickets'] as const;
const lists = ['lists'] as const;
const repositories = ['repositories'] as const;
const plain = { views: [], marks: [] } as const;
const inbox = { views: ['inbox'], marks: ['muted'] } as const;
const outbox = { views: ['outbox'], marks: ['text'] } as const;
const ticket = {
	views: tickets,
	marks: ['unread', 'noTriage', 'noComment', 'assigns', 'edits', 'deletes', 'mails'],
} as const;
const tracker = { views: tickets, marks: ['makesLabels', 'mails'] } as const;
const filter = { views: tickets, marks: [] } as const;
const list = { views: lists, marks: ['mine', 'filtered', 'follows', 'archived'] } as const;
const inLists = { views: lists, marks: [] } as const;
const inRepositories = { views: repositories, marks: [] } as const;

/** Every row kind. Kinds without views have no context menu. */
export const rowKinds = {
	more: plain,
	counts: plain,
	notice: plain,
	failed: plain,
	note: plain,
	empty: plain,
	connection: { views: ['inbox', 'outbox', 'tickets', 'lists', 'repositories'], marks: [] },
	'inbox.thing.unread': inbox,
	'inbox.thing.read': inbox,
	'inbox.thing.snoozed': inbox,
	'inbox.thing.done': inbox,
	'inbox.entry.unread': inbox,
	'inbox.entry.read': inbox,
	'inbox.entry.snoozed': inbox,
	'inbox.entry.done': inbox,
	inboxGroup: plain,
	'outbox.waiting': outbox,
	'outbox.stopped': outbox,
	outboxFile: { views: ['outbox'], marks: [] },
	'ticket.open': ticket,
	'ticket.resolved': ticket,
	ticketGroup: { views: tickets, marks: [] },
	'tracker.own': tracker,
	'tracker.followed': tracker,
	'filter.applied': filter,
	'filter.user': filter,
	'filter.workspace': filter,
	'list.own': list,
	'list.followed': list,
	'list.subscribed': list,
	'list.visited': list,
	allLists: inLists,
	'group.patchsets': inLists,
	'group.threads': inLists,
	'board.needsMyReview': inLists,
	'board.needsMyWork': inLists,
	'board.waitingForReview': inLists,
	'board.waitingForNewVersion': inLists,
	'board.approved': inLists,
	'board.stale': inLists,
	'board.snoozed': inLists,
	'board.done': inLists,
	patchset: { views: lists, marks: ['drafts', 'versions', 'linked', 'snoozed', 'unread'] },
	patchFile: inLists,
	comments: inLists,
	commentGroup: inLists,
	'mail.cover': inLists,
	'mail.patch': inLists,
	'mail.single': inLists,
	'mail.comment': inLists,
	'mail.thread': { views: lists, marks: ['pull', 'unread'] },
	'repository.own': inRepositories,
	'repository.followed': inRepositories,
	references: inRepositories,
	'reference.branch': inRepositories,
	'reference.tag': inRepositories,
	'reference.other': inRepositories,
	commits: inRepositories,
	commit: { views: ['repositories', 'history'], marks: [] },
	change: inRepositories,
	folder: inRepositories,
	file: { views: repositories, marks: ['executable', 'symlink'] },
	submodule: inRepositories,
	unknown: inRepositories,
	refused: inRepositories,
	artifact: inRepositories,
	searchFile: { views: ['search'], marks: [] },
	searchLine: { views: ['search'], marks: [] },
} as const satisfies Readonly<Record<string, RowKindFacts>>;

export type RowKind = keyof typeof rowKinds;
/** Marks of one or more kinds. */
export type RowMark<Kind extends RowKind> = (typeof rowKinds)[Kind]['marks'][number];

type Prefix<Name> = Name extends `${infer First}.${infer Rest}` ? First | `${First}.${Prefix<Rest>}` : Name;
/** A kind, or a common prefix of several kinds: `ticket` for `ticket.open` and `ticket.resolved`. */
export type RowFamily = Prefix<RowKind>;
export type KindIn<Family extends string> = Extract<RowKind, Family | `${Family}.${string}`>;

/** The `contextValue` of a row: `forge.ticket.open.unread`. */
export function rowContext<Kind extends RowKind>(kind: Kind, marks: Readonly<Record<RowMark<Kind>, boolean>>): string {
	const { views, marks: order }: RowKindFacts = rowKinds[kind];
	const set: Readonly<Record<string, boolean>> = marks;
	return [views.length === 0 ? kind : `forge.${kind}`, ...order.filter((mark) => set[mark])].join('.');
}
