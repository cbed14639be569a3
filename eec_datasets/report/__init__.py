"""The only room that writes words for readers: values in, pages, terminal lines and Markdown out."""
