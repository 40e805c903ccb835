// What updates make up.

import type { Codec } from "../codec.js";
import { isObject, isSame, own } from "../connection/json.js";
import { addedTo, type Series } from "./series.js";

/** Items that updates make up: one for each key, or one if there is no key. */
export class Items<T extends object> {
  /** The items in the order in which they came up. One without a key has "". */
  readonly byKey: Map<string, T> = new Map();
  readonly #codec: Codec<T>;
  readonly #tag: string;
  readonly #key: readonly string[];

  /** Updates are told apart by `tag`, items by what `key` leads to. */
  constructor(codec: Codec<T>, tag: string, ...key: readonly string[]) {
    this.#codec = codec;
    this.#tag = tag;
    this.#key = key;
  }

  /** The item of those without a key. */
  get only(): T | undefined {
    return this.byKey.get("");
  }

  /** Takes an update for the item. Tells whether that changed anything. */
  replace(update: object): boolean {
    return this.#put(this.#keyOf(update), Object.fromEntries(this.#of(update)));
  }

  /**
   * Changes the members of the item that an update has: what is `null` is
   * cleared, and objects by one of the names of `merged` change the members
   * of what is there. Tells whether that changed anything.
   */
  patch(update: object, merged: readonly string[]): boolean {
    const key = this.#keyOf(update);
    const before = key === undefined ? undefined : this.byKey.get(key);
    return this.#put(key, changed(before, this.#of(update), merged));
  }

  /**
   * Adds what an update has by the name `from` to the end of what the path
   * `to` leads to in the item. The path `key` leads to the item's key in the
   * update. Tells whether that changed anything.
   */
  append(
    update: object,
    key: readonly string[],
    from: string,
    to: readonly string[],
    series: Series,
  ): boolean {
    const of = this.#keyOf(update, key);
    const added = own(update, from);
    if (of === undefined || added === undefined) return false;
    const item = this.byKey.get(of) ?? this.#new(of);
    const changed = addedTo(item, to, added, series);
    return isObject(changed) && this.#put(of, changed);
  }

  /**
   * Gives the items that go on this status instead: those whose member `name`
   * is one of `open`, or absent. Tells whether there were any.
   */
  end(name: string, open: readonly string[], status: string): boolean {
    let hasChanged = false;
    for (const [key, item] of this.byKey) {
      const before = own(item, name) ?? null;
      const isOpen = before === null || open.some((value) => value === before);
      if (isOpen && this.#put(key, { ...item, [name]: status })) {
        hasChanged = true;
      }
    }
    return hasChanged;
  }

  /** Removes the item that an update names. Tells whether there was one. */
  remove(update: object, key: readonly string[] = this.#key): boolean {
    const of = this.#keyOf(update, key);
    return of !== undefined && this.byKey.delete(of);
  }

  /** An item that has nothing but its key. */
  #new(key: string): object {
    if (this.#key.length === 0) return {};
    const value = this.#key.reduceRight<unknown>(
      (value, name) => Object.fromEntries([[name, value]]),
      key,
    );
    return isObject(value) ? value : {};
  }

  #put(key: string | undefined, item: object): boolean {
    if (key === undefined) return false;
    const decoded = this.#codec.safeDecode(item);
    if (!decoded.ok || isSame(this.byKey.get(key), decoded.value)) return false;
    this.byKey.set(key, decoded.value);
    return true;
  }

  /** What an update says of its item. */
  #of(update: object): [string, unknown][] {
    return Object.entries(update).filter(([name]) => name !== this.#tag);
  }

  #keyOf(
    update: object,
    key: readonly string[] = this.#key,
  ): string | undefined {
    if (this.#key.length === 0) return "";
    let value: unknown = update;
    for (const name of key) value = own(value, name);
    return typeof value === "string" ? value : undefined;
  }
}

/** An object with other members. */
function changed(
  object: unknown,
  members: readonly [string, unknown][],
  merged: readonly string[],
): object {
  const entries = new Map(isObject(object) ? Object.entries(object) : []);
  for (const [name, value] of members) {
    if (value === null) {
      entries.delete(name);
    } else if (isObject(value) && merged.includes(name)) {
      const before = entries.get(name);
      entries.set(name, changed(before, Object.entries(value), []));
    } else if (value !== undefined) {
      entries.set(name, value);
    }
  }
  return Object.fromEntries(entries);
}
