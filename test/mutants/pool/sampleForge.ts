import type { Fault } from '../fault.ts';
import { inRoom } from './inRoom.ts';

export const sampleForgeFaults: readonly Fault[] = [
	...inRoom('sampleForge', [
		{
			name: 'sample-private-open',
			kind: 'guard',
			file: 'tickets/ticketAccess.ts',
			text: 'return closed && granted === undefined',
			replacement: 'return false',
			harm: 'who tries the sample forge sees private trackers of others',
		},
		{
			name: 'sample-pages-go-stale',
			kind: 'boundary',
			file: 'shared/keptPages.ts',
			text: 'revision !== keptRevision || kept.size',
			replacement: 'kept.size',
			harm: 'a list of the sample forge never shows what was just changed',
		},
		{
			name: 'sample-wrong-signature',
			kind: 'field',
			file: 'webhooks/signer.ts',
			text: "Buffer.from(body + nonce, 'utf8')",
			replacement: "Buffer.from(nonce + body, 'utf8')",
			harm: 'no delivery of the sample forge is taken in',
		},
		{
			name: 'sample-two-patchsets',
			kind: 'operator',
			file: 'lists/patchsetFormation.ts',
			text: 'taken || !countsFor',
			replacement: '!countsFor',
			harm: 'a late mail of a series makes a second patchset of the same patches',
		},
	]),
];
