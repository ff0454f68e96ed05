import { secretText, type RandomBytes } from '../base/secretText.ts';

/** A path for one subscription that nobody can guess. Whoever knows it can make us read its subject again. */
export function createHookPath(random: RandomBytes): string {
	return `/${secretText(random)}`;
}

/** True for what `createHookPath` makes: a path of any other form is no hook's, whatever it decodes to. */
export function isHookPath(path: string): boolean {
	return /^\/[\w-]{43}$/.test(path);
}
