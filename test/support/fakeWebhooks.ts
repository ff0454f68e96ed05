import assert from 'node:assert/strict';
import type { WebhookApi } from 'sourcehut/port/forge.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { eventGroupOf, webhookFamilyKey, type Webhook, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import { webhookEvents } from 'sourcehut/rest/restWebhooks.ts';
import { emptyWebhookBook, webhookBook } from '../../src/store/webhooks/webhookBook.ts';
import { keptIn } from '../../src/store/shared/keptText.ts';

/** A webhook on the fake forge. */
export interface ForgeHook extends Webhook {
	readonly family: WebhookFamily;
	readonly token: string;
}

/** A fake forge with webhooks only. */
export interface FakeWebhooks {
	readonly api: WebhookApi;
	/** Webhooks of all tokens, oldest first. */
	hooks: readonly ForgeHook[];
	/** Token of the next request. */
	token: string;
	/** Requests received, such as `create tracker ~alice/alpha`. */
	readonly calls: string[];
	/** Refused events, such as `tracker event:create`. */
	readonly refusedEvents: Set<string>;
	/** Errors to return instead of acting, by call or by its first word. */
	readonly problems: Map<string, Problem>;
	/** True if all tokens of the user share the webhooks. */
	areOfPerson: boolean;
	/** Runs after a request, before its answer; may lose the answer. */
	afterwards: (call: string) => Promise<void>;
	/** Runs before a request takes effect. */
	before: (call: string) => Promise<void>;
	/** Webhooks of the current token, such as `tracker ~alice/alpha https://…`, in order. */
	there(): readonly string[];
}

export function fakeWebhooks(): FakeWebhooks {
	let lastId = 0;

	async function asked(verb: string, family: WebhookFamily): Promise<string> {
		const call = `${verb} ${webhookFamilyKey(family)}`;
		await forge.before(call);
		forge.calls.push(call);
		const problem = forge.problems.get(call) ?? forge.problems.get(verb);
		if (problem) {
			throw new ForgeError(problem);
		}
		return call;
	}

	function found(family: WebhookFamily, id: number): ForgeHook {
		const hook = forge.hooks.find(
			(each) => each.id === id && webhookFamilyKey(each.family) === webhookFamilyKey(family),
		);
		if (!hook) {
			throw new ForgeError({ kind: 'notFound' });
		}
		if (hook.token !== forge.token && !forge.areOfPerson) {
			throw new ForgeError({ kind: 'notAllowed' });
		}
		return hook;
	}

	const forge: FakeWebhooks = {
		hooks: [],
		token: 'first',
		calls: [],
		refusedEvents: new Set(),
		problems: new Map(),
		areOfPerson: false,
		afterwards: () => Promise.resolve(),
		before: () => Promise.resolve(),
		there: () =>
			forge.hooks
				.filter(({ token }) => token === forge.token)
				.map(({ family, url }) => `${webhookFamilyKey(family)} ${url}`)
				.toSorted(),
		api: {
			async *webhooks(family) {
				const call = await asked('list', family);
				const items = forge.hooks.filter(
					(each) =>
						(each.token === forge.token || forge.areOfPerson) &&
						webhookFamilyKey(each.family) === webhookFamilyKey(family),
				);
				await forge.afterwards(call);
				yield { items, seen: items.length, completeness: { kind: 'complete' } };
			},
			async webhook(family, id) {
				const call = await asked('look', family);
				const hook = found(family, id);
				await forge.afterwards(call);
				return hook;
			},
			async create(family, { url, events }) {
				const call = await asked('create', family);
				if (events.some((event) => forge.refusedEvents.has(`${eventGroupOf(family)} ${event}`))) {
					throw new ForgeError({
						kind: 'invalid',
						errors: [{ field: 'events', reason: 'Unsupported event type' }],
					});
				}
				lastId += 1;
				const { token } = forge;
				const hook = { id: lastId, createdMs: 0, url, events, family, token };
				forge.hooks = [...forge.hooks, hook];
				await forge.afterwards(call);
				return hook;
			},
			async remove(family, id) {
				const call = await asked('remove', family);
				const hook = found(family, id);
				forge.hooks = forge.hooks.filter((each) => each !== hook);
				await forge.afterwards(call);
			},
			deliveries: () => assert.fail('no deliveries are asked for'),
			offers: (family) => ({
				events: webhookEvents[eventGroupOf(family)],
				isSyncPossible: false,
				areOfPerson: forge.areOfPerson,
			}),
			readDelivery: () => ({ again: [{ kind: 'subscriptions' }], push: undefined }),
		},
	};
	return forge;
}

/** Webhooks in a stored text. */
export function bookIn(text: unknown): ReturnType<typeof keptIn<typeof emptyWebhookBook>> {
	return keptIn(text, webhookBook, emptyWebhookBook);
}
