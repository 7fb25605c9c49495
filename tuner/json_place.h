/* json_place.h - where a value stands in the text of a JSON file. jansson keeps no positions of values, so they are found again
 * in the text. The text is one that jansson has accepted. Any thread.
 */
#ifndef FSATTN_JSON_PLACE_H
#define FSATTN_JSON_PLACE_H

/* Line and column, from 1, of the value of `key`: in the top-level object for item -1, else in the item-th object of the
 * top-level list `list`. 1:1 when it is not there. */
void fsattn_json_place(const char *text, const char *list, int item, const char *key, int *line, int *column);

#endif
