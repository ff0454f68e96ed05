import type { Children, Ran } from './children.ts';
import { packageArguments } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { markPackageCurrent, packageIsCurrent } from './sourceStamp.ts';

const limitMs = 120_000;

/** Builds and packages the extension for shipping. */
export async function buildPackage(children: Children, live: boolean): Promise<Ran> {
	const ran = await children.run('vsce', packageArguments, { live, limitMs });
	if (ran.code === 0) {
		markPackageCurrent();
	}
	return ran;
}

/** The same, unless the package that is there was made from just these sources. */
export async function buildPackageWhenNeeded(children: Children): Promise<void> {
	if (packageIsCurrent()) {
		console.log('The extension is built already');
		return;
	}
	console.log('Building the extension');
	const { code, output } = await buildPackage(children, false);
	if (code !== 0) {
		throw new PlainProblem(`The build failed.\n${output}`);
	}
}
