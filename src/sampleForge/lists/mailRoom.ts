import type { Context } from '../shared/area.ts';
import { createKeptPages } from '../shared/keptPages.ts';
import { createListAccess } from './listAccess.ts';
import { createMailHooks } from './mailHooks.ts';
import { createMailShapes } from './mailShapes.ts';
import { createMailStore } from './mailStore.ts';

/** Shared state of the lists area's routes and mail door. */
export type MailRoom = ReturnType<typeof openMailRoom>;

/** Without lists. */
export function openMailRoom(context: Context) {
	const { shortPatchsets, rewrittenBodies } = context.dialect;
	const store = createMailStore(context.users, !shortPatchsets, rewrittenBodies);
	const shapes = createMailShapes(context);
	return {
		context,
		store,
		access: createListAccess(context, store),
		shapes,
		hooks: createMailHooks(context, shapes),
		pages: createKeptPages(),
	};
}
