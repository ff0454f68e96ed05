/** Kinds with their own icon in mixed lists. */
export type IconKind = 'ticket' | 'thread' | 'patchset' | 'tracker' | 'list' | 'repository' | 'file';

const icons: Readonly<Record<IconKind, string>> = {
	ticket: 'issues',
	thread: 'comment-discussion',
	patchset: 'git-pull-request',
	tracker: 'checklist',
	list: 'mail',
	repository: 'repo',
	file: 'file',
};

/** Codicon of a thing. */
export function thingIcon({ kind }: { readonly kind: IconKind }): string {
	return icons[kind];
}
