import type { ApiCall, Context, User } from '../shared/area.ts';
import { param, findOwned } from '../shared/area.ts';
import { crash, forbidden, notAllowed, notFound } from '../shared/answers.ts';
import { ownerOf } from '../identity/users.ts';
import type { Email, ListPermission, MailingList, Patchset, Subscription } from './mailModel.ts';
import { listPermissions } from './mailModel.ts';
import type { MailStore } from './mailStore.ts';

/** Finds what a path names, and refuses (docs/protocol.md#refusals) when the caller may not have it. */
export function createListAccess(context: Context, store: MailStore) {
	const { dialect } = context;
	/** Permissions of a user; `undefined`: a reader or sender without account. */
	const held = (list: MailingList, user: User | undefined): ReadonlySet<ListPermission> => {
		if (user === undefined) {
			return new Set(list.permissions.nonsubscriber);
		}
		if (user === list.owner) {
			return new Set(listPermissions);
		}
		const subscribed = store.findSubscription(user, list) !== undefined;
		return new Set(subscribed ? list.permissions.subscriber : list.permissions.account);
	};
	/** Also one that the caller may not browse (webhook listings answer there). */
	const anyList = (call: ApiCall): MailingList => {
		const owner = ownerOf(context, call);
		const found = findOwned(store.lists, owner, param(call, 'list'));
		if (found === undefined) {
			throw notFound();
		}
		return found;
	};
	/** 404 when missing or when the caller may not browse it. */
	const list = (call: ApiCall): MailingList => {
		const found = anyList(call);
		if (!held(found, call.user).has('browse')) {
			throw notFound();
		}
		return found;
	};
	return {
		held,
		anyList,
		list,
		/** The caller's own list, for PUT and DELETE. */
		ownList(call: ApiCall) {
			const found = list(call);
			if (found.owner !== call.user) {
				throw forbidden(dialect);
			}
			return found;
		},
		/** By number or Message-ID; a mail of a list that the caller may not browse is forbidden. */
		email(call: ApiCall): Email {
			const [email, second] = store.findEmails(param(call, 'email'));
			if (second !== undefined && dialect.crashes) {
				throw crash(dialect);
			}
			if (email === undefined) {
				throw notFound();
			}
			if (!held(email.list, call.user).has('browse')) {
				throw forbidden(dialect);
			}
			return email;
		},
		patchset(call: ApiCall): Patchset {
			const { patchsets } = list(call);
			const id = numberOf(context, call, 'patchset');
			const found = patchsets.find((each) => each.id === id);
			if (found === undefined) {
				throw notFound();
			}
			return found;
		},
		subscription(call: ApiCall): Subscription {
			const id = numberOf(context, call, 'subscription');
			const found = store.subscriptions.find((each) => each.id === id);
			if (found === undefined) {
				throw notFound();
			}
			if (found.user !== call.user) {
				throw forbidden(dialect);
			}
			return found;
		},
	};
}

/** Only the owner may update a patchset, even one by others. */
export function expectOwner(context: Context, call: ApiCall, list: MailingList): void {
	if (list.owner !== call.user) {
		throw notAllowed(context.dialect);
	}
}

function numberOf({ dialect }: Context, call: ApiCall, name: string): number {
	const text = param(call, name);
	if (!/^\d+$/.test(text)) {
		throw crash(dialect, notFound());
	}
	return Number(text);
}
