import * as vscode from 'vscode';
import { pathOfPlace, pathOfSide, placeOfPath, placeOfSide, type EntryPlace, type Place } from './place.ts';

/** `forge://<account>/<~owner>/<repository>@<revision>/<path>` */
export function uriOfPlace(place: Place): vscode.Uri {
	return vscode.Uri.from({ scheme: 'forge', authority: place.connectionKey, path: pathOfPlace(place) });
}

/** `forge://<account>/<~owner>/<repository>/<path>?<revision>`: a file as one side of a comparison. */
export function uriOfSide(place: EntryPlace): vscode.Uri {
	const { connectionKey, at } = place;
	return vscode.Uri.from({ scheme: 'forge', authority: connectionKey, path: pathOfSide(place), query: at.ref });
}

/** The place that an address leads to; `undefined` for addresses of others and for none at all. */
export function placeOfUri({ scheme, authority, path, query }: vscode.Uri): Place | undefined {
	if (scheme !== 'forge') {
		return undefined;
	}
	return query === '' ? placeOfPath(authority, path) : placeOfSide(authority, path, query);
}
