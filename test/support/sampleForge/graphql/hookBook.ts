import type { Grant, User, WebhookReply } from '../../../../src/sampleForge/shared/area.ts';
import type { Caller } from './caller.ts';

/** A webhook: it is told the answer to its own query. */
export interface Hook<Thing> {
	readonly id: number;
	/** Who made it, by which token: its query is asked in their name. */
	readonly user: User;
	readonly grant: Grant;
	/** What it is told of. */
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
	/** Null until something came back. */
	response: WebhookReply | null;
}

/** The webhooks of one kind. */
export interface HookBook<Thing> {
	add(draft: Omit<Hook<Thing>, 'id' | 'deliveries'>): Hook<Thing>;
	/** Oldest first. A personal token has all of its owner, a client its own. */
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
