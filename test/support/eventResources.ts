/** Fields of the contract's resources (docs/protocol.md#resources). */
export const eventResources = {
	email: [
		['id', 'created', 'subject', 'message_id', 'parent_id', 'thread_id', 'list', 'sender', 'is_patch'],
		['is_request_pull', 'replies', 'participants', 'envelope'],
	].flat(),
	list: ['created', 'updated', 'name', 'owner', 'description', 'permissions'],
	subscription: ['id', 'created', 'list'],
	patchset: [
		['id', 'created', 'updated', 'subject', 'prefix', 'version', 'status', 'list', 'cover_letter', 'superseded_by'],
	].flat(),
	repository: ['id', 'created', 'subject', 'name', 'description', 'visibility'],
	push: ['push', 'pusher', 'refs'],
	tracker: ['owner', 'created', 'updated', 'name', 'description', 'default_permissions'],
	ticket: [
		['id', 'ref', 'tracker', 'title', 'created', 'updated', 'submitter', 'description', 'status', 'resolution'],
		['permissions', 'labels', 'assignees'],
	].flat(),
	event: [
		['id', 'created', 'event_type', 'old_status', 'old_resolution', 'new_status', 'new_resolution', 'user', 'ticket'],
		['comment', 'label', 'by_user', 'from_ticket'],
	].flat(),
	label: ['name', 'created', 'colors', 'tracker'],
	/** Fields of a deleted resource. */
	gone: ['id'],
} as const;

export type EventResource = keyof typeof eventResources;

/** Resources of running forges, where they differ. */
export const observedResources: Partial<Readonly<Record<EventResource, readonly string[]>>> = {
	email: [...eventResources.email, 'patchset'],
	list: ['id', ...eventResources.list],
	patchset: [
		['id', 'created', 'updated', 'subject', 'prefix', 'version', 'status', 'submitter', 'reply_to', 'message_id'],
	].flat(),
	repository: ['id', 'created', 'updated', 'name', 'owner', 'description', 'visibility'],
	tracker: ['id', ...eventResources.tracker],
};
