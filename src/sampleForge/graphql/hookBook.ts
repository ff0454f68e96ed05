import type { Grant, User, WebhookReply } from '../shared/area.ts';
import type { Caller } from './caller.ts';

/** A webhook. Its payload is the answer to its own query. */
export interface Hook<Thing> {
	readonly id: number;
	/** Owner and token. Its query runs on their behalf. */
	readonly user: User;
	readonly grant: Grant;
	/** Resource of the webhook. */
	readonly of: Thing;
	readonly url: string;
	readonly events: readonly string[];
	readonly query: string;
	/** Newest first. */
	readonly deliveries: HookDelivery[];
}

export interface HookDelivery {
	readonly number: number;
	readonly uuid: string;
	readonly timeMs: number;
	readonly event: string;
	readonly requestBody: string;
	/** Null before the response. */
	response: WebhookReply | null;
}

/** Webhooks of one kind. */
export interface HookBook<Thing> {
	add(draft: Omit<Hook<Thing>, 'id' | 'deliveries'>): Hook<Thing>;
	/** Oldest first. A personal token has all webhooks of its owner, a client only its own. */
	ofCaller(caller: Caller): readonly Hook<Thing>[];
	remove(hook: Hook<Thing>): void;
	listening(of: Thing, event: string): readonly Hook<Thing>[];
}

export function createHookBook<Thing>(): HookBook<Thing> {
	let all: readonly Hook<Thing>[] = [];
	let count = 0;
	return {
		add(draft) {
			const hook: Hook<Thing> = { ...draft, id: ++count, deliveries: [] };
			all = [...all, hook];
			return hook;
		},
		ofCaller: ({ user, grant }) =>
			all.filter((hook) => hook.user === user && (grant.clientId === null || hook.grant.clientId === grant.clientId)),
		remove(hook) {
			all = all.filter((each) => each !== hook);
		},
		listening: (of, event) => all.filter((hook) => hook.of === of && hook.events.includes(event)),
	};
}
