import type { ApiCall, Area, Context } from '../shared/area.ts';
import { invalid, notFound } from '../shared/answers.ts';
import { createKeptPages } from '../shared/keptPages.ts';
import { ownerOf, userRoutes } from '../identity/users.ts';
import { emailRoutes } from './emailRoutes.ts';
import { createListAccess } from './listAccess.ts';
import { parseListAddress } from './listAddress.ts';
import { listPages } from './listPages.ts';
import { listRoutes } from './listRoutes.ts';
import { createMailHooks, listTarget, userTarget } from './mailHooks.ts';
import type { MailRoom } from './mailRoom.ts';
import { createMailShapes } from './mailShapes.ts';
import { createMailStore } from './mailStore.ts';
import { patchsetRoutes } from './patchsetRoutes.ts';
import { changeSubscription, findList, maxMailBytes, receiveMail, type Verdict } from './postOffice.ts';
import type { SmtpParts } from '../mail/smtpSession.ts';
import { subscriptionRoutes } from './subscriptionRoutes.ts';

/** The mailing-list area. */
export interface MailArea extends Area {
	readonly room: MailRoom;
}

/** The mailing-list area, without lists. */
export function createMailArea(context: Context): MailArea {
	const { shortPatchsets, rewrittenBodies } = context.dialect;
	const store = createMailStore(context.users, !shortPatchsets, rewrittenBodies);
	const shapes = createMailShapes(context);
	const room: MailRoom = {
		context,
		store,
		access: createListAccess(context, store),
		shapes,
		hooks: createMailHooks(context, shapes),
		pages: createKeptPages(),
	};
	return {
		room,
		routes: [
			...userRoutes(context),
			...listRoutes(room),
			...emailRoutes(room),
			...patchsetRoutes(room),
			...subscriptionRoutes(room),
			...hookRoutes(room),
			...listPages(room),
		],
		smtp: mailDoor(room),
	};
}

function hookRoutes({ context, access }: MailRoom): Area['routes'] {
	const own = (call: ApiCall): string => {
		if (ownerOf(context, call) !== call.user) {
			throw notFound();
		}
		return userTarget(call.user);
	};
	const ofList = (call: ApiCall): string => {
		const list = access.anyList(call);
		if (call.method === 'POST' && !access.held(list, call.user).has('browse')) {
			throw invalid('You are not allowed to watch this list.', 'list', 403);
		}
		return listTarget(list);
	};
	return [
		...context.webhooks.routes('listsUser', '/api/user', own),
		...context.webhooks.routes('listsList', '/api/user/:username/lists/:list', ofList),
	];
}

/** Accepts and drops mail for other addresses (Cc): nothing leaves this machine. */
function mailDoor(room: MailRoom): SmtpParts {
	const domains = listDomains(room.context);
	return {
		hostName: domains[0],
		maxBytes: maxMailBytes,
		refuseRecipient(text) {
			const address = parseListAddress(text, domains);
			const local = text.slice(text.lastIndexOf('@') + 1).toLowerCase() === domains[0];
			const missing = address === undefined ? local : findList(room, address) === undefined;
			return missing ? `There is no list at ${text}.` : undefined;
		},
		deliver(recipients, mail) {
			const reasons = recipients.flatMap((text) => {
				const address = parseListAddress(text, domains);
				const list = address === undefined ? undefined : findList(room, address);
				if (address === undefined || list === undefined) {
					return [];
				}
				const { command } = address;
				const verdict: Verdict =
					command === 'post' ? receiveMail(room, list, mail) : changeSubscription(room, list, command, mail);
				return verdict.kind === 'refused' ? [verdict.reason] : [];
			});
			return reasons[0];
		},
	};
}

/** Domain of posting addresses, then accepted aliases. */
function listDomains({ mailDomain }: Pick<Context, 'mailDomain'>): readonly [string, ...string[]] {
	return [`lists.${mailDomain}`, mailDomain, 'localhost', '127.0.0.1'];
}
