import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runsAll } from './counts.ts';

/** Tables of full runs; `npm run prove` copies them into docs/proof.md. */
export const tablesFolder = join(import.meta.dirname, '../../test-results/proof-tables');

/** Environment variable with the commit, day and seed of a full run. */
export const stampVariable = 'FORGE_DESK_PROOF_STAMP';

type Cells = readonly (string | number)[];

/** Stores a table under its title; only in full runs. */
export function keepProofTable(title: string, [head, ...rows]: readonly [Cells, ...Cells[]]): void {
	if (!runsAll()) {
		return;
	}
	const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
	mkdirSync(tablesFolder, { recursive: true });
	const file = join(tablesFolder, `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`);
	writeFileSync(file, [`## ${title}`, '', process.env[stampVariable] ?? '', '', ...lines, ''].join('\n'));
}
