import * as v from 'valibot';
import type { WebhookFamily } from '../../forge/port/webhook.ts';
import { named, whole } from './keptText.ts';

export const keptFamily: v.GenericSchema<unknown, WebhookFamily> = v.variant('kind', [
	v.object({ kind: v.literal('user'), area: v.picklist(['todo', 'git', 'lists']) }),
	v.object({ kind: v.picklist(['list', 'repository', 'tracker']), ref: named }),
	v.object({ kind: v.literal('ticket'), ref: v.object({ tracker: named, id: whole }) }),
]);
