import type { User } from '../../shared/area.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import type { GraphqlSchema } from '../engine.ts';
import { createHookBook, type HookBook } from '../hookBook.ts';
import type { TakenEvents } from '../hooks.ts';

export interface ListHooks {
	readonly schema: GraphqlSchema;
	readonly user: HookBook<User>;
	readonly list: HookBook<MailingList>;
}

export function createListHooks(schema: GraphqlSchema): ListHooks {
	return { schema, user: createHookBook(), list: createHookBook() };
}

const ofList = {
	LIST_UPDATED: 'LISTS',
	LIST_DELETED: 'LISTS',
	EMAIL_RECEIVED: 'EMAILS',
	PATCHSET_RECEIVED: 'PATCHES',
} as const;

/** Supported events by kind. */
export const takenEvents = {
	user: { LIST_CREATED: 'LISTS', ...ofList },
	list: ofList,
} as const satisfies Readonly<Record<string, TakenEvents>>;
