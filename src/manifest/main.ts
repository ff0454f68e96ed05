// Writes the generated parts of package.json and of the guides. With --check it only lists stale files.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit, stdout } from 'node:process';
import { commandTable } from '../commands/table.ts';
import { withKeyTables } from './keyTables.ts';
import { withManifestParts } from './manifest.ts';

const root = join(import.meta.dirname, '../..');
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const stale = ['package.json', 'README.md', ...guides.map((name) => `docs/${name}`)].flatMap((file) => {
	const text = readFileSync(join(root, file), 'utf8');
	const written = file === 'package.json' ? withManifestParts(text) : withKeyTables(text, commandTable);
	return written === text ? [] : [{ file, written }];
});
const isCheck = argv.includes('--check');
for (const { file, written } of stale) {
	stdout.write(isCheck ? `${file} is stale. Run "npm run manifest".\n` : `Wrote ${file}\n`);
	if (!isCheck) {
		writeFileSync(join(root, file), written);
	}
}
exit(isCheck && stale.length > 0 ? 1 : 0);
