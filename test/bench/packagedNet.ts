import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { GitReads } from '../../src/forge/gitReads.ts';
import type { Net } from '../../src/net.ts';
import { root } from '../harness/places.ts';
import { directTransport } from '../support/contractForge.ts';

const chunk = v.object({
	openNet: v.custom<(typeof import('../../src/net.ts'))['openNet']>((value) => typeof value === 'function'),
});

/** The packaged API layer. The caller closes it. */
export function openPackagedNet(git?: GitReads): Net {
	const { openNet } = v.parse(chunk, createRequire(import.meta.url)(join(root, 'dist/net.js')));
	return openNet({
		transport: { ...directTransport, userAgent: 'ForgeDesk/0.1.0 (VS Code extension)' },
		clock: systemClock,
		random: Math.random,
		...(git ? { git } : {}),
	});
}
