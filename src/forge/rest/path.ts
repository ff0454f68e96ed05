import { unfit } from '../port/forgeError.ts';
import type { OwnerName } from '../port/user.ts';
import type { Endpoint, Call } from './endpoint.ts';

/** Fills an endpoint's path: the implied form for own resources if there is one, otherwise the explicit form. */
export function pathOf<Route extends string>(
	endpoint: Endpoint<Route, unknown>,
	{ params, owner }: Pick<Call<Route>, 'params' | 'owner'>,
	me: OwnerName,
): string {
	const isOwn = owner === undefined || owner === me;
	const implied = isOwn && endpoint.explicitOnly === undefined ? endpoint.implied : undefined;
	const template = typeof implied === 'string' ? implied : endpoint.route.replace(/^\S+ /, '');
	const values: Readonly<Record<string, string | number>> = { ...params, username: owner ?? me };
	return fill(template, values);
}

/** An encoded query with its question mark. */
export function queryOf(query: Readonly<Record<string, string>> | undefined): string {
	if (query === undefined) {
		return '';
	}
	const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodedValue(value)}`);
	return `?${pairs.join('&')}`;
}

/** The HTTP client would encode an apostrophe again. */
function encodedValue(value: string): string {
	return encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27');
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
	return template
		.split('/')
		.map((segment) => {
			if (!segment.startsWith(':')) {
				return segment;
			}
			const keepsSlashes = segment.endsWith('*');
			const name = segment.slice(1, keepsSlashes ? -1 : undefined);
			const value = String(values[name] ?? '');
			return keepsSlashes
				? value
						.split('/')
						.map((part) => encoded(name, part))
						.join('/')
				: encoded(name, value);
		})
		.join('/');
}

function encoded(name: string, value: string): string {
	if (value === '') {
		throw unfit(name, 'nameEmpty');
	}
	if (value === '.' || value === '..') {
		throw unfit(name, 'nameIsDots');
	}
	if (!value.isWellFormed()) {
		throw unfit(name, 'halfCharacter');
	}
	return encodeURIComponent(value);
}
